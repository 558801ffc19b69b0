#include "tuner/cache_command/contents.hpp"

#include <algorithm>
#include <optional>
#include <system_error>
#include <tuple>

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

// Calls act(path) for each real folder in a folder, in order. One that vanishes has none, and one
// that is a link is not looked into.
Result<void> for_each_folder(const fs::path& folder,
                             const std::function<Result<void>(const fs::path&)>& act) {
  std::error_code error;
  if (!fs::is_directory(fs::symlink_status(folder, error))) return {};
  SortedNames names;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::error_code gone;
    if (fs::is_directory(at->symlink_status(gone)))
      TUNECHECK_CHECK(names.add(at->path().filename().string()));
  }
  return names.visit([&](const std::string& name) { return act(folder / name); });
}

// The folders of all keys.
Result<void> for_each_key_folder(const fs::path& cache_folder,
                                 const std::function<Result<void>(const fs::path&)>& act) {
  return for_each_folder(cache_folder / "v1",
                         [&](const fs::path& kernel) { return for_each_folder(kernel, act); });
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
    for (StoredItem& item : entries_in(folder))
      if (item.entry.starts_with(given.file) && ++count <= most_ids_shown)
        meant.push_back(std::move(item));
    return {};
  };
  TUNECHECK_CHECK(for_each_key_folder(cache_folder, look));
  auto only = count == 1 ? read_entry(FolderStore(cache_folder), meant.front()) : std::nullopt;
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
