#pragma once
// The history: runs and what they measured, in one file of SQLite. What is stored is never changed
// or removed. A process may be killed at any moment, and any number of processes may write at once:
// a run is stored whole or not at all.
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "gate/history/run.hpp"

namespace tunecheck::history {

struct StoredRun : RunFacts {
  std::int64_t id = 0;
};

/// A benchmark in one run, in short.
struct Point {
  std::int64_t run = 0;
  std::string benchmark;  ///< what it is called today
  Kind kind = Kind::time;
  std::string unit;
  std::int64_t fingerprint = 0;
  double median = 0;  ///< of the processes
};

/// Everything but the samples of single processes.
struct Contents {
  std::vector<StoredRun> runs;  ///< by their start
  std::vector<Point> points;    ///< by the start of their run, then by name
  std::map<std::int64_t, Fingerprint> fingerprints;
  std::map<std::string, std::string> renames;  ///< old name to new name, which may be old as well
};

/// An open file. Every call may fail: the disk is full, another process has been writing for half a
/// minute, the file is damaged. Nothing that was stored is lost then. One thread at a time; each
/// process, and each thread, opens its own.
class History {
 public:
  /// A file that is there. One of an older schema is brought to the newest.
  [[nodiscard]] static Result<History> open(const std::filesystem::path& file);
  /// The same; a file that is not there is made, in a folder that is made.
  [[nodiscard]] static Result<History> open_or_create(const std::filesystem::path& file);
  History(History&&) noexcept;
  History& operator=(History&&) noexcept;
  ~History();

  struct Added {
    std::int64_t run = 0;
    bool is_new = false;  ///< otherwise the run was already there
  };
  /// An error where the run does not pass check().
  [[nodiscard]] Result<Added> add(const MeasuredRun& run);

  [[nodiscard]] Result<Contents> read();
  /// With the names of today; empty where there is no such run.
  [[nodiscard]] Result<std::vector<SampleSet>> sample_sets(std::int64_t run);

  /// From now on what is stored as `old_name` is read as `new_name`. An error where a name is not
  /// in the history, one run has both, or they differ in unit: those are two benchmarks.
  [[nodiscard]] Result<void> rename(const std::string& old_name, const std::string& new_name);
  /// Takes that back; an error where there is nothing to take back.
  [[nodiscard]] Result<void> undo_rename(const std::string& old_name);

 private:
  struct State;
  explicit History(std::unique_ptr<State> state);
  [[nodiscard]] static Result<History> open(const std::filesystem::path& file, bool create);
  std::unique_ptr<State> m_state;
};

}  // namespace tunecheck::history
