#include "tuner/cache_command/contents.hpp"

#include <algorithm>
#include <optional>
#include <system_error>
#include <tuple>

#include <sys/stat.h>

#include "core/text.hpp"
#include "tuner/cache_command/sorted_names.hpp"
#include "tuner/store/entry_format.hpp"

namespace tunecheck::cache {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t shown_of_folder = 12;
constexpr std::size_t shown_of_file = 6;
constexpr std::size_t most_ids_shown = 20;

std::string id_of(const std::string& folder_digest, const std::string& file_digest) {
  return folder_digest.substr(0, shown_of_folder) + "-" + file_digest.substr(0, shown_of_file);
}

// KEY as somebody gives it: the beginning of a folder's name, and after a dash that of a file's.
struct GivenName {
  explicit GivenName(const std::string& name)
      : folder(name.substr(0, name.find('-'))),
        file(name.find('-') == name.npos ? "" : name.substr(name.find('-') + 1)) {}
  std::string folder, file;
};

Result<void> check_folder(const fs::path& cache_folder) {
  const SafeOpen top = open_top_folder(cache_folder);
  if (top.missing)
    return failure(Error{ErrorKind::bad_input, "there is no such folder", cache_folder.string(), 0,
                         "--cache"});
  if (!top.descriptor.valid())
    return failure(Error{ErrorKind::bad_input, top.reason, {}, 0, "--cache"});
  return {};
}

using VisitPath = std::function<Result<void>(const fs::path&)>;

// The tuner asks for no other names: kernels are identifiers or digests, keys are digests.
bool may_be_a_folder_of_entries(const std::string& name, bool of_kernel) {
  constexpr std::size_t digest_length = 32;
  const bool is_digest =
      name.size() == digest_length && name.find_first_not_of("0123456789abcdef") == name.npos;
  return is_digest || (of_kernel && is_identifier(name));
}

// Calls act(path) for each folder that lies so many levels below this one, in order, and for what
// stands in place of a folder on the way there. A link is not followed. What vanishes is nothing.
Result<void> for_each_place(const fs::path& folder, int levels, const VisitPath& act) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(folder, error);
  if (!fs::exists(status)) return {};
  if (levels == 0 || !fs::is_directory(status)) return act(folder);
  SortedNames names;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::error_code gone;
    std::string name = at->path().filename().string();
    if (fs::is_directory(at->symlink_status(gone)) || may_be_a_folder_of_entries(name, levels > 1))
      TUNECHECK_CHECK(names.add(std::move(name)));
  }
  return names.visit(
      [&](const std::string& name) { return for_each_place(folder / name, levels - 1, act); });
}

// The folders of all keys.
Result<void> for_each_key_folder(const fs::path& cache_folder, const VisitPath& act) {
  return for_each_place(cache_folder / "v1", 2, act);
}

bool is_real_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(fs::symlink_status(path, error));
}

// What is read for a path that stands where a folder belongs.
std::optional<StoredEntry> read_displaced(const FolderStore& store, const fs::path& cache_folder,
                                          const fs::path& path) {
  StoredEntry stored;
  Found found = store.examine(path / "entry.json");
  if (found.state == Found::State::miss) return std::nullopt;
  // v1/KERNEL/KEY, of which the last ones may be lacking.
  std::vector<std::string> names;
  for (const fs::path& name : path.lexically_relative(cache_folder))
    names.push_back(name.string());
  stored.kernel = names.size() > 1 ? names[1] : "-";
  stored.folder_digest = names.size() > 2 ? names[2] : "";
  stored.id = id_of(stored.folder_digest, "");
  stored.file = path;
  stored.trouble = std::move(found.reason);
  stored.displaced = true;
  struct stat status {};
  if (::lstat(path.c_str(), &status) == 0)
    stored.last_used_ns =
        std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
  return stored;
}

// Nothing where it has been pruned since it was listed.
std::optional<StoredEntry> read_entry(const FolderStore& store, const StoredItem& item) {
  StoredEntry stored;
  stored.kernel = item.folder.parent_path().filename();
  stored.folder_digest = item.folder.filename();
  stored.file = item.folder / item.entry;
  stored.file_digest = stored.file.stem();
  stored.id = id_of(stored.folder_digest, stored.file_digest);
  stored.bytes = item.bytes;
  stored.last_used_ns = item.last_used_ns;
  Found found = store.examine(stored.file);
  if (found.state == Found::State::miss) return std::nullopt;
  stored.trouble = std::move(found.reason);
  stored.entry = std::move(found.entry);
  stored.artifact = std::move(found.artifact);
  return stored;
}

// The entries in the folder of a key, by their files.
std::vector<StoredItem> entries_in(const fs::path& folder) {
  std::vector<StoredItem> items = take_key_inventory(folder).items;
  std::erase_if(items, [](const StoredItem& item) { return item.entry.empty(); });
  std::sort(items.begin(), items.end(),
            [](const StoredItem& a, const StoredItem& b) { return a.entry < b.entry; });
  return items;
}

}  // namespace

Result<void> for_each_entry(const fs::path& cache_folder, const VisitEntry& visit) {
  TUNECHECK_CHECK(check_folder(cache_folder));
  const FolderStore store(cache_folder);
  return for_each_key_folder(cache_folder, [&](const fs::path& folder) -> Result<void> {
    if (!is_real_folder(folder)) {
      if (const auto entry = read_displaced(store, cache_folder, folder))
        TUNECHECK_CHECK(visit(*entry));
      return {};
    }
    for (const StoredItem& item : entries_in(folder))
      if (const auto entry = read_entry(store, item)) TUNECHECK_CHECK(visit(*entry));
    return {};
  });
}

Result<Contents> read_contents(const fs::path& cache_folder) {
  Contents contents;
  TUNECHECK_CHECK(for_each_entry(cache_folder, [&](const StoredEntry& entry) -> Result<void> {
    contents.entries.push_back(entry);
    return {};
  }));
  return contents;
}

Result<StoredEntry> find_entry(const fs::path& cache_folder, const std::string& name) {
  TUNECHECK_CHECK(check_folder(cache_folder));
  const GivenName given(name);
  std::vector<StoredItem> meant;
  std::size_t count = 0;
  const auto look = [&](const fs::path& folder) -> Result<void> {
    if (given.folder.empty() || !folder.filename().string().starts_with(given.folder)) return {};
    std::vector<StoredItem> items = entries_in(folder);
    if (!is_real_folder(folder)) items = {{folder, ""}};
    for (StoredItem& item : items)
      if (item.entry.starts_with(given.file) && ++count <= most_ids_shown)
        meant.push_back(std::move(item));
    return {};
  };
  TUNECHECK_CHECK(for_each_key_folder(cache_folder, look));
  const FolderStore store(cache_folder);
  auto only = count != 1 ? std::nullopt
              : meant.front().entry.empty()
                  ? read_displaced(store, cache_folder, meant.front().folder)
                  : read_entry(store, meant.front());
  if (only) return std::move(*only);
  if (count <= 1)
    return failure(ErrorKind::bad_input,
                   "expected the key of an entry, as `tunecheck cache list` shows it; found \"{}\"",
                   name);
  std::string ids;
  for (const StoredItem& item : meant)
    ids += (ids.empty() ? "" : ", ") +
           id_of(item.folder.filename(), fs::path(item.entry).stem().string());
  if (count > meant.size()) ids += fmt::format(", and {} more", count - meant.size());
  return failure(ErrorKind::bad_input, "\"{}\" could be any of {}", name, ids);
}

}  // namespace tunecheck::cache
