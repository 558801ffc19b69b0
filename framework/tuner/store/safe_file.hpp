#pragma once
// Opening what nobody but this user (or root) could have written.
#include <filesystem>
#include <string>
#include <vector>

#include "core/files.hpp"
#include "core/result.hpp"

namespace tunecheck {

/// A file or folder opened for reading, or why not.
struct SafeOpen {
  FileDescriptor descriptor;  ///< not valid where missing, or where there is a reason
  bool missing = false;
  std::string reason;
};

/// Opens the top folder of a cache. It may be reached through symbolic links: the user named it.
/// A sticky folder may be writable by others: they cannot replace what is this user's there.
[[nodiscard]] SafeOpen open_top_folder(const std::filesystem::path& path);

/// Opens `name` inside of an open folder. Refused: a symbolic link, another kind of file, an owner
/// who is neither this user nor root, permission to write for group or others.
enum class FileKind { folder, file };
[[nodiscard]] SafeOpen open_safely(const FileDescriptor& folder, const std::string& name,
                                   FileKind kind);

/// The whole content of an open regular file; an error for more than `most_bytes`.
[[nodiscard]] Result<std::vector<std::byte>> read_open_file(
    const FileDescriptor& file, std::uint64_t most_bytes = file_size_limit);

/// Makes the folder, mode 0700, and the missing ones above it. A folder of this user's that others
/// may write is put to 0700; a symbolic link in place of the last folder is replaced.
[[nodiscard]] Result<void> make_private_folder(const std::filesystem::path& path);

}  // namespace tunecheck
