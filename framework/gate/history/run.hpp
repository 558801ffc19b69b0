#pragma once
// What one run measured, as it is stored and as it is read from the files that are added.
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "gate/history/fingerprint.hpp"

namespace tunecheck::history {

enum class Kind {
  time,   ///< scatters; positive
  count,  ///< does not; whole, at least 0
};

/// "time" or "count".
[[nodiscard]] std::string_view to_string(Kind kind);

/// A benchmark in one run.
struct SampleSet {
  std::string benchmark;  ///< its name, once a run
  Kind kind = Kind::time;
  std::string unit;  ///< "ns" of every time
  Fingerprint fingerprint;
  /// Of each process the median of its samples, or its count. The process is the unit, as in the
  /// gate: more samples in it only measure its own speed more exactly.
  std::vector<double> processes;
};

/// What is known of a run.
struct RunFacts {
  /// Runs of one suite are expected to have the same benchmarks: one that is missing was removed.
  std::string suite;
  std::string source;             ///< the file it was read from
  std::string started;            ///< UTC, ISO 8601: 2024-05-01T12:00:00Z
  std::string revision;           ///< the commit of what was measured; "" if unknown
  std::string tuner;              ///< its name and version; "" if unknown
  std::string tunecheck_version;  ///< of the program that measured; "" if it was another one
  /// All that is known of the machine, also what times do not depend on, such as its name.
  std::map<std::string, std::string> environment;
};

struct MeasuredRun : RunFacts {
  std::string digest;  ///< of what it was read from: the same is not stored twice
  std::vector<SampleSet> sets;
};

/// An error where it cannot be used: no name, no samples, a sample that its kind does not have.
[[nodiscard]] Result<void> check(const SampleSet& set);

/// An error where something cannot be stored: no sample set, one without a name or without samples,
/// two of one name, a sample that its kind does not have, a start that is no time.
[[nodiscard]] Result<void> check(const MeasuredRun& run);

/// A time with any offset from UTC ("2024-05-01T14:00:00+02:00") as UTC; an error where it is none.
[[nodiscard]] Result<std::string> to_utc(const std::string& time);

}  // namespace tunecheck::history
