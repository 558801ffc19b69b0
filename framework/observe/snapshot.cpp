#include <fstream>
#include <span>
#include <string_view>

#include "core/digest.hpp"
#include "core/files.hpp"
#include "observe/evidence.hpp"
#include "observe/file_digest.hpp"
#include "observe/listing.hpp"

namespace tunecheck {
namespace {

// What a tuner writes before an artifact is a few lines, no file of its own.
constexpr std::size_t most_before = 64 * 1024;

std::string embedded_digest(const std::filesystem::path& path) {
  constexpr std::string_view magic = "\177ELF";
  std::ifstream file(path, std::ios::binary);
  std::string head(most_before, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(file.gcount()));
  const std::size_t at = head.find(magic);
  if (at == head.npos || at == 0) return {};
  const auto bytes = read_binary_file(path);
  return bytes ? bytes_digest(std::span(*bytes).subspan(at)) : "";
}

}  // namespace

Result<FolderSnapshot> take_snapshot(const std::filesystem::path& folder) {
  TUNECHECK_TRY(const std::vector<ListedFile> files, list_files(folder));
  FolderSnapshot snapshot;
  for (const ListedFile& file : files) {
    const std::filesystem::path path = folder / file.path;
    std::string digest, embedded;
    if (file.is_link) {
      std::error_code error;
      const auto target = std::filesystem::read_symlink(path, error);
      if (!error) digest = artifact_digest(target.string());
    } else {
      digest = file_digest(path);
      embedded = embedded_digest(path);
    }
    std::error_code error;
    const auto now = std::filesystem::symlink_status(path, error);
    if (now.type() == std::filesystem::file_type::not_found) continue;
    snapshot.files.push_back(
        {file.path, file.size, file.mode, std::move(digest), std::move(embedded)});
  }
  return snapshot;
}

}  // namespace tunecheck
