#include "observe/listing.hpp"

#include <algorithm>
#include <cerrno>
#include <fnmatch.h>
#include <system_error>

#include <fmt/format.h>
#include <sys/stat.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "observe/evidence.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;

// More than a cache has; each is opened and read.
constexpr std::size_t most_files = 1'000'000;

// Own recursion: recursive_directory_iterator ends at the first folder that vanishes.
Result<void> add_files(const fs::path& folder, const std::string& prefix, bool may_be_missing,
                       std::vector<ListedFile>& files) {
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const std::string name = prefix + entry->path().filename().string();
    std::error_code gone;
    if (entry->is_directory(gone) && !entry->is_symlink(gone)) {
      TUNECHECK_CHECK(add_files(entry->path(), name + '/', true, files));
      continue;
    }
    if (files.size() >= most_files)
      return failure(Error{ErrorKind::untrusted,
                           fmt::format("expected at most {} files below the folder", most_files),
                           folder.string(),
                           0,
                           {}});
    struct stat status {};
    if (::lstat(entry->path().c_str(), &status) != 0) continue;
    if (S_ISREG(status.st_mode) || S_ISLNK(status.st_mode)) {
      files.push_back({name, static_cast<std::uint64_t>(status.st_size), status.st_mode & 07777U,
                       S_ISLNK(status.st_mode)});
    }
  }
  if (error && !(may_be_missing && error == std::errc::no_such_file_or_directory))
    return failure(Error{
        ErrorKind::machine, "cannot list the folder: " + error.message(), folder.string(), 0, {}});
  return {};
}

bool matches_any(const std::string& path, const std::string& globs) {
  if (globs.empty()) return true;
  for (std::size_t at = 0; at <= globs.size();) {
    const std::size_t end = std::min(globs.find(':', at), globs.size());
    if (::fnmatch(globs.substr(at, end - at).c_str(), path.c_str(), 0) == 0) return true;
    at = end + 1;
  }
  return false;
}

}  // namespace

Result<std::vector<ListedFile>> list_files(const fs::path& folder) {
  // What a link leads to may be as large as the machine, and belongs to somebody else.
  std::error_code unknown;
  if (fs::is_symlink(folder, unknown))
    return failure(Error{
        ErrorKind::machine, "expected a folder, found a symbolic link", folder.string(), 0, {}});
  std::vector<ListedFile> files;
  TUNECHECK_CHECK(add_files(folder, {}, false, files));
  std::sort(files.begin(), files.end(),
            [](const ListedFile& a, const ListedFile& b) { return a.path < b.path; });
  return files;
}

std::string listing_digest(const fs::path& folder, const std::string& globs) {
  const auto files = list_files(folder);
  if (!files) return {};
  std::string text;  // a name cannot hold the zero that ends it
  for (const ListedFile& file : *files)
    if (matches_any(file.path, globs)) text += fmt::format("{}{}{}\n", file.path, '\0', file.size);
  return fmt::format("{:016x}", XXH3_64bits(text.data(), text.size()));
}

}  // namespace tunecheck
