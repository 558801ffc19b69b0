#include "tuner/cache_command/contents.hpp"

#include <algorithm>
#include <tuple>

namespace tunecheck::cache {
namespace {

constexpr std::size_t shown_of_folder = 12;
constexpr std::size_t shown_of_file = 6;

bool is_meant(const StoredEntry& entry, const std::string& name) {
  const std::size_t dash = name.find('-');
  return !name.empty() && dash != 0 && entry.folder_digest.starts_with(name.substr(0, dash)) &&
         (dash == name.npos || entry.file_digest.starts_with(name.substr(dash + 1)));
}

}  // namespace

Result<Contents> read_contents(const std::filesystem::path& cache_folder) {
  const SafeOpen top = open_top_folder(cache_folder);
  if (top.missing)
    return failure(Error{ErrorKind::bad_input, "there is no such folder", cache_folder.string(), 0,
                         "--cache"});
  if (!top.descriptor.valid())
    return failure(Error{ErrorKind::bad_input, top.reason, {}, 0, "--cache"});
  Contents contents;
  contents.inventory = take_inventory(cache_folder);
  const FolderStore store(cache_folder);
  for (const StoredItem& item : contents.inventory.items) {
    if (item.entry.empty()) continue;
    StoredEntry& stored = contents.entries.emplace_back();
    stored.kernel = item.folder.parent_path().filename();
    stored.folder_digest = item.folder.filename();
    stored.file = item.folder / item.entry;
    stored.file_digest = stored.file.stem();
    stored.id = stored.folder_digest.substr(0, shown_of_folder) + "-" +
                stored.file_digest.substr(0, shown_of_file);
    stored.bytes = item.bytes;
    stored.last_used_ns = item.last_used_ns;
    Found found = store.examine(stored.file);
    if (found.state == Found::State::hit) {
      stored.entry = std::move(found.entry);
      stored.artifact = std::move(found.artifact);
    } else {
      stored.trouble = found.reason.empty() ? "it is gone" : found.reason;
    }
  }
  std::sort(contents.entries.begin(), contents.entries.end(),
            [](const StoredEntry& a, const StoredEntry& b) {
              return std::tie(a.kernel, a.folder_digest, a.file_digest) <
                     std::tie(b.kernel, b.folder_digest, b.file_digest);
            });
  return contents;
}

Result<const StoredEntry*> find_entry(const Contents& contents, const std::string& name) {
  std::vector<const StoredEntry*> meant;
  for (const StoredEntry& entry : contents.entries)
    if (is_meant(entry, name)) meant.push_back(&entry);
  if (meant.size() == 1) return meant.front();
  if (meant.empty())
    return failure(ErrorKind::bad_input,
                   "expected the key of an entry, as `tunecheck cache list` shows it; found \"{}\"",
                   name);
  std::string ids;
  for (const StoredEntry* const entry : meant)
    ids += (ids.empty() ? "" : ", ") + entry->id;
  return failure(ErrorKind::bad_input, "\"{}\" could be any of {}", name, ids);
}

}  // namespace tunecheck::cache
