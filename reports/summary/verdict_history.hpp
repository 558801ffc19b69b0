#pragma once
// Verdicts over time: a scenario of a run is kept in the history as a count of failures, 0 or 1, so
// that what finds changes of counts finds since when it fails.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gate/history/run.hpp"
#include "reports/stored/history_reader.hpp"
#include "result/verdict.hpp"

namespace tunecheck {

/// What such counts are called: "scenario/restore.axpy", in this unit.
inline constexpr std::string_view verdict_prefix = "scenario/";
inline constexpr std::string_view verdict_unit = "failures";

/// The verdicts of a run as it is stored: known failures are failures, and what could not be tested
/// or judged is not there. `digest` is that of its file. An error where the run did not come to its
/// end, or has no verdict.
[[nodiscard]] Result<history::MeasuredRun> verdicts_of(const RunResult& run, std::string digest);

[[nodiscard]] bool is_verdict(std::string_view benchmark);

/// One scenario of one tuner on one machine over the runs of a history.
struct VerdictSeries {
  std::string scenario;
  std::int64_t fingerprint = 0;
  std::vector<std::int64_t> runs;  ///< by their start
  std::vector<bool> failed;        ///< of each of them
  std::size_t failures = 0;
  std::size_t flips = 0;   ///< how often a run's verdict is another one than the run's before
  std::int64_t since = 0;  ///< the run from which on the last verdict holds

  /// It failed, held and failed again, or the other way round: neither a break nor a mend.
  [[nodiscard]] bool is_flaky() const { return flips >= 2; }
  [[nodiscard]] bool fails_now() const { return !failed.empty() && failed.back(); }
};

/// Those that failed in any run: flaky ones by their rate, then failing ones, then mended ones.
[[nodiscard]] std::vector<VerdictSeries> verdict_series_of(
    const std::vector<history::Series>& series);

/// "fails in 3 of 20 runs, now and then", "fails since run 12 (2024-05-01, 0123456789)".
[[nodiscard]] std::string verdict_text(const VerdictSeries& series,
                                       const history::Contents& contents);

}  // namespace tunecheck
