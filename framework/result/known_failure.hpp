#pragma once
// Known failures: a scenario that a tuner is known to fail, with the reason, a link and the day on
// which somebody has to look again. docs/known-failures.md has the format and the rules.
#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tunecheck {

struct KnownFailure {
  std::string scenario;
  std::vector<std::string> checks;  ///< the only ones that may fail; empty: any may
  std::string reason;
  std::string link;
  std::chrono::year_month_day until;  ///< the last day, in UTC, on which the mark holds
  /// Where it passes as well, by chance (a race, a time limit): "yes", or how many runs of how many
  /// were seen to fail, "1 of 2"; "" where it always fails.
  std::string at_times;
  std::filesystem::path file;
  int line = 0;

  /// Whether this check may fail.
  [[nodiscard]] bool allows(const std::string& check) const;
};

/// By the scenario's name.
using KnownFailures = std::map<std::string, KnownFailure>;

/// "2027-03-31".
[[nodiscard]] std::string date_text(const std::chrono::year_month_day& date);
/// Of a day that exists.
[[nodiscard]] std::optional<std::chrono::year_month_day> parse_date(const std::string& text);

}  // namespace tunecheck
