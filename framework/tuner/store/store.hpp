#pragma once
// Where winners are kept between processes.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "tuner/key/key.hpp"
#include "tuner/key/key_axes.hpp"
#include "tuner/search/effort.hpp"
#include "tuner/store/tuning_journal.hpp"
#include "tuner/trial/trial.hpp"

namespace tunecheck {

/// All that is kept of one tuning beside the artifact. docs/cache-format.md has the format.
struct Entry {
  Key key;
  Config winner;
  std::string artifact_digest;  ///< SHA-256
  std::uint64_t artifact_bytes = 0;
  std::vector<Trial> trials;    ///< all of them, failures with their reasons
  std::int64_t created_ns = 0;  ///< CLOCK_REALTIME
  std::string tuner_version;
  SearchedWith searched = {};
};

/// What a look into the store found.
struct Found {
  enum class State {
    hit,    ///< entry and artifact are whole and agree with the key
    miss,   ///< there is nothing under this key
    stale,  ///< there is something that must not be used; `reason` says why
  };
  State state = State::miss;
  std::string reason;
  Entry entry;
  Artifact artifact;
};

/// Released by its destructor, and by the end of the process.
class StoreLock {
 public:
  virtual ~StoreLock() = default;
};

/// Seam. All members may be called by several threads and several processes at once.
class WinnerStore {
 public:
  virtual ~WinnerStore() = default;

  /// Costs the same however many entries there are. `context` is for stores that look further than
  /// the key.
  [[nodiscard]] virtual Found find(const Key& key, const KeyContext& context) = 0;

  /// Keeps a winner: when it returns without an error, any later process finds it. What was there
  /// before is replaced as a whole or not at all.
  [[nodiscard]] virtual Result<void> put(const Entry& entry, const Artifact& artifact) = 0;

  /// The key among this kernel's entries that differs in the fewest axes; only used to explain a
  /// miss. Looks at a bounded number of entries.
  [[nodiscard]] virtual std::optional<Key> nearest(const Key& key) = 0;

  /// Waits until no other process tunes this key, but not for ever. Null where this store cannot
  /// lock, or has waited for too long: then two processes may both tune, and the later put wins.
  [[nodiscard]] virtual std::unique_ptr<StoreLock> lock(const Key& key) = 0;

  /// Why lock() cannot lock at all, the first time that somebody asks after it was found out; ""
  /// otherwise, and where there is no such trouble.
  [[nodiscard]] virtual std::string take_lock_trouble() { return {}; }

  /// What a killed tuning of this key left, and where this one writes what it measures; for who
  /// holds the lock. Null where this store keeps none.
  [[nodiscard]] virtual std::unique_ptr<TuningJournal> journal(const Key& key) = 0;
};

}  // namespace tunecheck
