#pragma once
// Files and folders: whole reads, atomic writes, folders that remove themselves.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace tunecheck {

/// What a file may hold at most where a reader says nothing else: far more than tunecheck writes.
/// A sparse file may claim terabytes.
inline constexpr std::uint64_t file_size_limit = std::uint64_t{1} << 30;

/// Whole files. An error for what is no regular file, and for more than `most_bytes`.
[[nodiscard]] Result<std::string> read_text_file(const std::filesystem::path& path,
                                                 std::uint64_t most_bytes = file_size_limit);
[[nodiscard]] Result<std::vector<std::byte>> read_binary_file(
    const std::filesystem::path& path, std::uint64_t most_bytes = file_size_limit);
/// What the file holds from byte `from` on, which may be nothing. An error where it is shorter.
[[nodiscard]] Result<std::string> read_text_file_from(const std::filesystem::path& path,
                                                      std::uint64_t from,
                                                      std::uint64_t most_bytes = file_size_limit);

/// Plain write for files that only this process reads.
[[nodiscard]] Result<void> write_file(const std::filesystem::path& path,
                                      std::span<const std::byte> bytes);
[[nodiscard]] Result<void> write_file(const std::filesystem::path& path, std::string_view text);
/// The parts one behind the other.
[[nodiscard]] Result<void> write_parts(const std::filesystem::path& path,
                                       std::initializer_list<std::span<const std::byte>> parts);

/// A reader sees the old content or the new one, also after a crash: temporary file in the same
/// folder, fsync, rename, fsync of the folder. The temporary name is unique to process and call and
/// is removed on failure. New files have mode 0644 less the umask.
[[nodiscard]] Result<void> write_file_atomically(const std::filesystem::path& path,
                                                 std::span<const std::byte> bytes);
[[nodiscard]] Result<void> write_file_atomically(const std::filesystem::path& path,
                                                 std::string_view text);

/// What a user names for an output, a regular file, like write_file_atomically(), and with the mode
/// of the one that it replaces. Where a symbolic link leads to one, the link stays; one that leads
/// nowhere is a mistake. A device, a pipe or a
/// socket is written to, and not replaced.
[[nodiscard]] Result<void> write_output(const std::filesystem::path& path, std::string_view text);

[[nodiscard]] Result<void> create_folders(const std::filesystem::path& path);

/// A folder of this process's own, mode 0700, under the system's temporary folder; removed with its
/// content by the destructor.
class TemporaryFolder {
 public:
  [[nodiscard]] static Result<TemporaryFolder> create(std::string_view prefix);
  TemporaryFolder(TemporaryFolder&& other) noexcept : m_path(std::exchange(other.m_path, {})) {}
  TemporaryFolder& operator=(TemporaryFolder&& other) noexcept;
  ~TemporaryFolder();
  [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

 private:
  explicit TemporaryFolder(std::filesystem::path path) : m_path(std::move(path)) {}
  std::filesystem::path m_path;
};

/// A file descriptor that closes itself.
class FileDescriptor {
 public:
  explicit FileDescriptor(int value = -1) noexcept : m_value(value) {}
  FileDescriptor(FileDescriptor&& other) noexcept : m_value(std::exchange(other.m_value, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  ~FileDescriptor();
  [[nodiscard]] int get() const { return m_value; }
  [[nodiscard]] bool valid() const { return m_value >= 0; }
  void reset() noexcept;
  /// Forgets the descriptor without closing it, and returns it.
  int release() noexcept { return std::exchange(m_value, -1); }

 private:
  int m_value;
};

/// A file that has no place, with these bytes, which nobody can change any more. `name` is what
/// /proc shows of it. Closed on exec; others find it as /proc/PID/fd/NUMBER.
[[nodiscard]] Result<FileDescriptor> sealed_memory_file(const char* name,
                                                        std::span<const std::byte> bytes);

/// Reads what an open file holds from byte `from` on, until `bytes` is full or the file ends; how
/// many bytes that was. Nothing on an error, and errno tells.
[[nodiscard]] std::optional<std::size_t> read_all(int descriptor, std::span<std::byte> bytes,
                                                  std::uint64_t from = 0) noexcept;

/// Writes all of `bytes`; true on success, errno tells otherwise.
[[nodiscard]] bool write_all(int descriptor, std::span<const std::byte> bytes) noexcept;

/// The text of errno.
[[nodiscard]] std::string last_system_error();

}  // namespace tunecheck
