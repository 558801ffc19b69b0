#pragma once
// Known failures: a scenario that a tuner is known to fail, with the reason, a link and the day on
// which somebody has to look again. docs/known-failures.md has the format and the rules.
#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace tunecheck {

struct ScenarioResult;

struct KnownFailure {
  std::string scenario;
  std::vector<std::string> checks;  ///< the only ones that may fail; empty: any may
  std::string reason;
  std::string link;
  std::chrono::year_month_day until;  ///< the last day, in UTC, on which the mark holds
  bool at_times = false;              ///< it passes as well, by chance: a race, a time limit
  std::filesystem::path file;
  int line = 0;
};

/// By the scenario's name.
using KnownFailures = std::map<std::string, KnownFailure>;

/// The marks of all `files` together. Of a mistake, and of a second mark for one scenario, the
/// error has file, line and key. `scenarios` are the names that may be marked.
[[nodiscard]] Result<KnownFailures> read_known_failures(
    const std::vector<std::filesystem::path>& files, const std::set<std::string>& scenarios);

/// Judges the result of a marked scenario once more. A failure in nothing but the named checks
/// becomes `known`; a pass, where the mark does not say `at_times`, becomes `fail` with a message,
/// and so does whatever comes after `until`; `error` and `unsupported` stay what they are. `today`
/// is the day on which the run began, in UTC.
void apply_mark(const KnownFailure& mark, std::chrono::sys_days today, ScenarioResult& result);

/// "2027-03-31".
[[nodiscard]] std::string date_text(const std::chrono::year_month_day& date);
/// Of a day that exists.
[[nodiscard]] std::optional<std::chrono::year_month_day> parse_date(const std::string& text);

}  // namespace tunecheck
