#pragma once
// The size limit of a cache folder: what lies in it, and what goes first when there is too much.
#include <cstdint>
#include <filesystem>
#include <limits>
#include <mutex>
#include <string>
#include <system_error>
#include <vector>

#include "core/files.hpp"

namespace tunecheck {

inline constexpr std::uint64_t no_cache_limit = std::numeric_limits<std::uint64_t>::max();

/// What can be removed from a cache folder at once: an entry with its artifact, or what lies in a
/// folder of a key without an entry (an unfinished tuning, for example).
struct StoredItem {
  std::filesystem::path folder;   ///< of the key
  std::string entry;              ///< the name of the entry's file; "" where there is none
  std::uint64_t bytes = 0;        ///< sizes of its files
  std::int64_t last_used_ns = 0;  ///< CLOCK_REALTIME; the newest stamp of its files

  /// Of its entry, or of its folder where it has none.
  [[nodiscard]] std::filesystem::path path() const {
    return entry.empty() ? folder : folder / entry;
  }
};

/// A temporary file of a process that is gone, more than an hour old. It belongs to no item.
struct StaleTemporary {
  std::filesystem::path file;
  std::uint64_t bytes = 0;
};

/// All that lies below the cache folder. Files that vanish meanwhile are left out.
struct Inventory {
  std::vector<StoredItem> items;
  std::uint64_t bytes = 0;  ///< sizes of all files
  std::vector<StaleTemporary> stale_temporaries;
};
[[nodiscard]] Inventory take_inventory(const std::filesystem::path& cache_folder);

/// Likewise, what lies in the folder of one key.
[[nodiscard]] Inventory take_key_inventory(const std::filesystem::path& folder);

/// Notes that the stored winner whose artifact this is was used: the time of the artifact's file is
/// set to now. Does nothing where the file may not be changed.
void stamp_as_used(const FileDescriptor& artifact) noexcept;

/// Whether the errno of an attempt to lock says that another process has the lock, or that it was
/// interrupted; with any other, locks do not work there.
[[nodiscard]] bool is_held_elsewhere(int error);

/// The lock of a key's folder, if nobody has it; not valid otherwise. Whoever tunes holds it. Where
/// locks do not work, the folder is opened without one: else nothing would ever be removed there.
[[nodiscard]] FileDescriptor try_lock_folder(const std::filesystem::path& folder);

/// False where the folder of this name is another one by now, or none: it was removed after it had
/// been opened, and a lock on it protects nothing.
[[nodiscard]] bool still_names(const std::filesystem::path& path, const FileDescriptor& folder);

/// Removes an item: the entry first, then what no other entry names, then the folder if it is
/// empty. A reader in between finds an entry that is missing, or one whose artifact is. The caller
/// holds the folder's lock. The error is the first one that the system gave; what is gone already
/// is none.
[[nodiscard]] std::error_code remove_item(const StoredItem& item);

/// Artifacts of a key's folder that no entry of it names any more. Where a lock does not reach all
/// who may write, only those of the past: a new one may belong to an entry that is about to be
/// written.
void remove_unused_artifacts(const std::filesystem::path& folder);

/// Keeps a cache folder below its limit. May be used by several threads, and by several processes
/// on the same folder: each item goes under the lock of its folder.
class Eviction {
 public:
  /// Sizes of files in bytes; no_cache_limit for none.
  Eviction(std::filesystem::path cache_folder, std::uint64_t limit_bytes)
      : m_root(std::move(cache_folder)), m_limit_bytes(limit_bytes) {}
  virtual ~Eviction() = default;

  /// After `bytes` were written to the folder of a key. Walks the cache folder the first time, once
  /// the limit may have been passed, and each time that a sixteenth of the limit was written;
  /// removes items where it has more than the limit until it has less than 90 % of that. Never
  /// removes what is in `folder`.
  void after_put(const std::filesystem::path& folder, std::uint64_t bytes);

  struct NotRemoved {
    std::filesystem::path path;
    std::error_code why;
  };
  struct Removed {
    std::vector<StoredItem> items;
    std::vector<std::filesystem::path> temporaries;
    std::vector<StoredItem> in_use;       ///< would have gone if nobody had their lock
    std::vector<NotRemoved> not_removed;  ///< items by their folders; they count as being there
    std::uint64_t bytes_before = 0;
    std::uint64_t bytes_after = 0;  ///< as counted: what others wrote meanwhile is not in it
  };
  struct Target {
    std::uint64_t above_bytes = 0;    ///< a folder that has no more is left alone
    std::uint64_t down_to_bytes = 0;  ///< what is left of one that has
  };
  /// Brings the folder to the target, as far as that can be done without removing what is in use or
  /// in `keep`, and removes stale temporaries. `dry` removes nothing, and says what it would.
  Removed shrink(const Target& target, const std::filesystem::path& keep, bool dry = false);

 protected:
  /// Seam: what goes first comes first. By default what was not used for the longest time.
  virtual void order(std::vector<StoredItem>& items) const;
  /// Seam: removes what a killed writer left; whether it is gone. `error` is set where the system
  /// refuses.
  virtual bool remove_temporary(const std::filesystem::path& file, std::error_code& error) const;
  /// Seam: whether an item must stay whatever its place.
  [[nodiscard]] virtual bool must_stay(const StoredItem& item,
                                       const std::filesystem::path& keep) const {
    return item.folder == keep;
  }
  /// Seam: the lock under which an item goes; it stays where this is not valid.
  [[nodiscard]] virtual FileDescriptor lock(const StoredItem& item) const {
    return try_lock_folder(item.folder);
  }

 private:
  const std::filesystem::path m_root;
  const std::uint64_t m_limit_bytes;
  std::mutex m_mutex;
  bool m_known = false;         // guarded by m_mutex, as what follows
  std::uint64_t m_bytes = 0;    // in the folder after the last walk
  std::uint64_t m_written = 0;  // since then, by this object
};

}  // namespace tunecheck
