#pragma once
// What a tuning has measured so far, on disk, so that one that is killed need not begin anew
// (transformers-qwen3-moe-fused#21).
//
//   {"body":{"created_ns":N,"journal":1,"key":HEX},"digest":HEX}                 the first line
//   {"body":{"config":CONFIG,"high_ns":N,"low_ns":N,...},"digest":HEX}           a trial each
//
// A line has about 160 bytes and a digest (XXH3-128) of its own, where an entry has one for the
// whole file: the last line may be torn by the kill, and those before it still count. Lines are
// appended and not synced; what a process has written survives its death, and after a power failure
// nothing is lost but time. A journal that is taken over is written anew rather than appended to,
// because a torn line must not have others behind it. There is no file for the lock: the tuning
// process holds flock on the folder of the key, which ends with it. docs/cache-format.md has the
// rules.
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "core/files.hpp"
#include "tuner/key/key.hpp"
#include "tuner/trial/trial.hpp"

namespace tunecheck {

/// Seam. One tuning's own; whoever has it holds the lock of its key.
class TuningJournal {
 public:
  virtual ~TuningJournal() = default;
  /// The trials that an earlier tuning of this key finished before it was killed.
  [[nodiscard]] virtual const std::vector<Trial>& finished() const = 0;
  /// Adds a trial; what cannot be written is only missing after a kill.
  virtual void add(const Trial& trial) noexcept = 0;
  /// The tuning came to its end.
  virtual void remove() noexcept = 0;
};

/// Measurements are believed for this long: later the machine may be another.
inline constexpr std::chrono::minutes journal_lifetime{60};

/// Opens `name` in `folder`, or makes it. A journal of another key, of another format, too old, or
/// in a file that others could have written is replaced by an empty one; of a torn one the whole
/// lines count. Null where it cannot be written.
[[nodiscard]] std::unique_ptr<TuningJournal> open_journal(const FileDescriptor& folder,
                                                          const std::string& name, const Key& key);

}  // namespace tunecheck
