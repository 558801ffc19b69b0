#include "core/digest.hpp"
#include "observe/evidence.hpp"
#include "observe/file_digest.hpp"
#include "observe/listing.hpp"

namespace tunecheck {

Result<FolderSnapshot> take_snapshot(const std::filesystem::path& folder) {
  TUNECHECK_TRY(const std::vector<ListedFile> files, list_files(folder));
  FolderSnapshot snapshot;
  for (const ListedFile& file : files) {
    const std::filesystem::path path = folder / file.path;
    std::string digest;
    if (file.is_link) {
      std::error_code error;
      const auto target = std::filesystem::read_symlink(path, error);
      if (!error) digest = artifact_digest(target.string());
    } else {
      digest = file_digest(path);
    }
    std::error_code error;
    const auto now = std::filesystem::symlink_status(path, error);
    if (now.type() == std::filesystem::file_type::not_found) continue;
    snapshot.files.push_back({file.path, file.size, file.mode, std::move(digest)});
  }
  return snapshot;
}

}  // namespace tunecheck
