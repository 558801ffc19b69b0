#pragma once
// Verdicts over time: a scenario of a run is kept in the history as a count of failures, 0 or 1, so
// that what finds changes of counts finds since when it fails.
#include <cstdint>
#include <optional>
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

/// What a verdict may be compared with: that of the same adapter on the same kind of device.
[[nodiscard]] history::Fingerprint verdict_fingerprint_of(const RunResult& run);

/// One scenario of one tuner on one kind of device over the runs of a history.
struct VerdictSeries {
  std::string scenario;
  std::string name;  ///< the scenario's; "restore.axpy of A on cpu" where the history has others
  history::Fingerprint tuner;      ///< adapter, backend, and the device where it is known
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
    const std::vector<history::Series>& series, const history::Contents& contents);

/// What a history knows of a scenario of the tuner that a run is of, whether it ever failed or not;
/// none where it knows nothing.
[[nodiscard]] std::optional<VerdictSeries> verdict_series_of(const HistoryChanges& history,
                                                             const RunResult& run,
                                                             std::string_view scenario);

/// The scenarios of a history; one of two tuners is two of them.
struct VerdictCounts {
  std::size_t scenarios = 0;
  std::size_t tuners = 0;  ///< adapters on kinds of devices
  std::size_t failing = 0, flaky = 0, mended = 0;
  std::size_t changed = 0;  ///< their verdict is not the same in all runs

  /// "97 scenarios of 2 tuners"
  [[nodiscard]] std::string scenarios_text() const;
};
[[nodiscard]] VerdictCounts verdict_counts_of(const std::vector<history::Series>& series,
                                              const history::Contents& contents);

/// "A on cpu", "A on cuda, NVIDIA H200".
[[nodiscard]] std::string tuner_text(const history::Fingerprint& tuner);

/// "fails in 3 of 20 runs, now and then", "fails since run 12 (2024-05-01, 0123456789)".
[[nodiscard]] std::string verdict_text(const VerdictSeries& series,
                                       const history::Contents& contents);

}  // namespace tunecheck
