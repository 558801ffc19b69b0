#include "tuner/cache_command/clean.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <unistd.h>

#include "tuner/cache_command/contents.hpp"
#include "tuner/store/entry_format.hpp"

namespace tunecheck::cache {
namespace {

// Cleans one cache folder. run() is called once: damaged entries go first, then folders without an
// entry, then what was used longest ago. Each item goes by itself, under the lock of its folder, so
// that tuners may work in the folder all the while. A cleaning that is killed leaves at worst one
// item without its entry, which no lookup believes and the next cleaning removes. What is locked,
// or has become good since it was listed, stays.
class Cleaner {
 public:
  Cleaner(const std::filesystem::path& cache_folder, bool dry)
      : m_root(cache_folder), m_store(cache_folder), m_dry(dry) {}

  Result<Cleaned> run(std::uint64_t limit_bytes) {
    const Inventory inventory = take_inventory(m_root);
    m_cleaned.bytes_before = inventory.bytes;
    TUNECHECK_CHECK(for_each_entry(m_root, [&](const StoredEntry& entry) -> Result<void> {
      if (!entry.trouble.empty()) remove_damaged(entry);
      return {};
    }));
    for (const StoredItem& item : inventory.items)
      if (item.entry.empty()) remove(item, "holds no entry");
    shrink(limit_bytes);
    return std::move(m_cleaned);
  }

 private:
  void note(const std::filesystem::path& path, const std::string& why) {
    m_cleaned.removed.push_back(
        fmt::format("{}: {}", path.lexically_relative(m_root).string(), why));
  }

  void note_in_use(const std::filesystem::path& path) {
    const std::string name = path.lexically_relative(m_root).string();
    if (std::find(m_cleaned.in_use.begin(), m_cleaned.in_use.end(), name) == m_cleaned.in_use.end())
      m_cleaned.in_use.push_back(name);
  }

  // Once for each path: what could not go first cannot go later either.
  void note_not_removed(const std::filesystem::path& path, const std::error_code& why) {
    const std::string line = fmt::format("{}: cannot be removed: {}",
                                         path.lexically_relative(m_root).string(), why.message());
    auto& lines = m_cleaned.not_removed;
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
  }

  void remove(const StoredItem& item, const std::string& why) {
    const std::filesystem::path path = item.path();
    const FileDescriptor lock = try_lock_folder(item.folder);
    // Under the lock, look again: the tuner may have mended it, or stored its first winner.
    if (!lock.valid() || is_good_now(item)) return note_in_use(path);
    if (const std::error_code error = m_dry ? std::error_code() : remove_item(item))
      return note_not_removed(path, error);
    m_removed_bytes += item.bytes;
    note(path, why);
  }

  void remove_damaged(const StoredEntry& entry) {
    const std::string why = "damaged: " + entry.trouble;
    if (!entry.displaced)
      return remove({entry.file.parent_path(), entry.file.filename(), entry.bytes, 0}, why);
    // No tuner locks what is no folder, and unlink() leaves one alone that has come meanwhile.
    if (!m_dry && ::unlink(entry.file.c_str()) != 0)
      return note_not_removed(entry.file, std::error_code(errno, std::generic_category()));
    note(entry.file, why);
  }

  [[nodiscard]] bool is_good_now(const StoredItem& item) const {
    if (!item.entry.empty())
      return m_store.examine(item.folder / item.entry).state == Found::State::hit;
    std::error_code error;
    std::filesystem::directory_iterator file(item.folder, error);
    return !error && std::any_of(begin(file), end(file),
                                 [](const auto& each) { return is_entry_file(each.path()); });
  }

  void shrink(std::uint64_t limit_bytes) {
    // What a dry run only says is removed is still there: it must not count twice.
    const std::uint64_t target = m_dry ? limit_bytes + m_removed_bytes : limit_bytes;
    const Eviction::Removed evicted =
        Eviction(m_root, limit_bytes).shrink({target, target}, {}, m_dry);
    for (const std::filesystem::path& temporary : evicted.temporaries)
      note(temporary, "of a process that has ended");
    for (const StoredItem& item : evicted.items)
      note(item.path(), "least recently used");
    for (const StoredItem& item : evicted.in_use)
      note_in_use(item.path());
    for (const Eviction::NotRemoved& item : evicted.not_removed)
      note_not_removed(item.path, item.why);
    m_cleaned.bytes_after =
        evicted.bytes_after - (m_dry ? std::min(m_removed_bytes, evicted.bytes_after) : 0);
  }

  const std::filesystem::path& m_root;
  const FolderStore m_store;
  const bool m_dry;
  std::uint64_t m_removed_bytes = 0;
  Cleaned m_cleaned;
};

}  // namespace

Result<Cleaned> clean(const std::filesystem::path& cache_folder, std::uint64_t limit_bytes,
                      bool dry) {
  return Cleaner(cache_folder, dry).run(limit_bytes);
}

}  // namespace tunecheck::cache
