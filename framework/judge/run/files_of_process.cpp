#include "judge/run/files_of_process.hpp"

#include <algorithm>

#include "core/text.hpp"

namespace tunecheck {
namespace {

// "" where it is not there.
std::string digest_in(const FolderSnapshot& snapshot, const std::string& path) {
  const auto found = std::find_if(snapshot.files.begin(), snapshot.files.end(),
                                  [&](const FileRecord& file) { return file.path == path; });
  return found == snapshot.files.end() ? "" : found->digest;
}

}  // namespace

std::string glob_of(const std::string& word, const AdapterInfo& adapter) {
  const auto role = adapter.cache_files.find(word);
  return role == adapter.cache_files.end() ? word : role->second;
}

Result<std::set<std::string>> files_made_by(const ProcessRecord& process, const FolderSnapshot& now,
                                            const std::string& glob) {
  std::set<std::string> made;
  if (process.calls.empty()) return made;
  for (const FileRecord& file : process.calls.back().cache_after.files) {
    if (!matches_glob(glob, file.path)) continue;
    const std::string before = digest_in(process.calls.front().cache_before, file.path);
    if (before == file.digest) continue;
    const std::string left = digest_in(now, file.path);
    if (left.empty())
      return failure(ErrorKind::unsupported, "{}, which the process made, is gone", file.path);
    if (!before.empty() || left != file.digest)
      return failure(ErrorKind::unsupported,
                     "{} is not one process's own: another has written to it as well", file.path);
    made.insert(file.path);
  }
  return made;
}

}  // namespace tunecheck
