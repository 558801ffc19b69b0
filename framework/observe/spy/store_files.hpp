#pragma once
// Files of a cache: whole or absent for a reader, but not made safe against a power failure.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace tunecheck::spy {

/// 32 hex digits.
[[nodiscard]] std::string quick_digest(std::string_view bytes);

/// Makes the folders above the file and puts the file in its place by a rename. False where that
/// fails: a cache may do without.
[[nodiscard]] bool put_file(const std::filesystem::path& path, std::string_view content);

/// A file beside the caller's, with a name that no other process uses; removed by the destructor.
class ScratchFile {
 public:
  explicit ScratchFile(const std::filesystem::path& folder);
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  ~ScratchFile();
  [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
  [[nodiscard]] bool valid() const { return !m_path.empty(); }

 private:
  std::filesystem::path m_path;
};

/// Size and times of a file; nothing where it is missing or no regular file.
struct FileState {
  std::uint64_t size = 0;
  std::int64_t modified_ns = 0;  ///< CLOCK_REALTIME
  std::int64_t changed_ns = 0;   ///< as above, of content or inode
};
[[nodiscard]] std::optional<FileState> file_state(const std::filesystem::path& path);

}  // namespace tunecheck::spy
