#pragma once
// What a history tells: which benchmarks came, went and changed, and when.
#include <cstdint>
#include <string>
#include <vector>

#include "gate/history/history.hpp"

namespace tunecheck::history {

/// What of one benchmark may be compared: one unit, one fingerprint. By the start of the runs.
struct Series {
  std::string benchmark;
  Kind kind = Kind::time;
  std::string unit;
  std::int64_t fingerprint = 0;
  std::vector<Point> points;  ///< at least one
};

/// By the benchmarks' names, those of one benchmark by their first run.
[[nodiscard]] std::vector<Series> series_of(const Contents& contents);

/// A run has a benchmark that the run before it of the same suite had not, or the other way round.
struct Appearance {
  std::string benchmark;
  std::int64_t run = 0;
  bool is_added = false;  ///< otherwise it is missing in this run
};

/// By the start of the runs, then by name. The first run of a suite adds nothing.
[[nodiscard]] std::vector<Appearance> appearances(const Contents& contents);

/// A benchmark in short, whatever it was measured on.
struct Summary {
  std::string benchmark;
  std::size_t runs = 0, fingerprints = 0;
  Point first, last;
  bool is_missing = false;  ///< in the last run of the suite that had it last
};

/// By name.
[[nodiscard]] std::vector<Summary> summaries_of(const Contents& contents);

struct ChangeOptions {
  /// The chance to find any change of a time, in however many benchmarks, where none changed; and
  /// the expected share of steady benchmarks among those with a change, where some did.
  double level = 0.01;
  /// Changes of a time below this are nobody's business: 0.02 is 2 %.
  double least_change = 0.02;
  std::uint64_t seed = 1;
  int jobs = 0;  ///< threads; 0 for one per core
};

struct Change {
  std::string benchmark;
  Kind kind = Kind::time;
  std::string unit;
  std::int64_t fingerprint = 0;
  std::int64_t last_before = 0, first_after = 0;  ///< runs
  double before = 0, after = 0;  ///< medians of the runs between the changes on either side
  double p = 0;                  ///< as of change_points(); 0 of a count, which is exact

  /// of `after` against `before`: 0.05 is 5 % more; infinite where there was nothing before
  [[nodiscard]] double change() const { return after / before - 1; }
};

struct Changes {
  std::vector<Change> found;           ///< by series, then by run
  std::size_t small = 0;               ///< changes below least_change, which are not among them
  std::vector<std::size_t> too_short;  ///< series of times with too few runs to show a change
  double level_each = 0;               ///< of each series that can
};

/// The changes of these series. Times scatter: their change points. Counts do not: every run whose
/// count is another one than that of the run before it. The same for any number of jobs; a
/// benchmark's changes depend on the others only through their number, and that of those with one.
[[nodiscard]] Changes find_changes(const std::vector<Series>& series, const ChangeOptions& options);

}  // namespace tunecheck::history
