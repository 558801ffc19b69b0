#pragma once
// Why scenarios failed, gathered: one mistake of a tuner fails many scenarios, and in each of them
// several checks. The table of checks says which check explains the failure of which other one.
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "result/verdict.hpp"

namespace tunecheck {

/// Scenarios in which the same check failed, and no other failing check explains it.
struct Cause {
  std::string check;                ///< "" where no check says why
  Verdict verdict = Verdict::fail;  ///< or error
  std::string meaning;              ///< what the check asks; the message where there is none
  /// All of them; the first explains best: it fails for the fewest causes, and what it is about.
  /// They live as long as the run.
  std::vector<const ScenarioResult*> scenarios;
  /// How many of these no cause before this one explains.
  std::size_t own = 0;
  /// Other checks that failed in these scenarios, and in how many, the most frequent first.
  std::vector<std::pair<std::string, std::size_t>> symptoms;
};

/// What explains the scenarios that are bad: errors first, then what explains most. Every bad
/// scenario is in at least one of them.
[[nodiscard]] std::vector<Cause> causes_of(const RunResult& result);

/// As bad_checks(), those that explain others before what they explain.
[[nodiscard]] std::vector<const CheckResult*> causes_first(const ScenarioResult& scenario);

/// The first of the run's causes that is one of this scenario, as a place in `causes`; their number
/// where there is none.
[[nodiscard]] std::size_t cause_of(const ScenarioResult& scenario,
                                   const std::vector<Cause>& causes);

/// The answer that shows the cause in one of its scenarios; null where no check says why.
[[nodiscard]] const CheckResult* evidence_of(const Cause& cause, const ScenarioResult& scenario);

/// Known failures with the same reason: what a mark says of them, and the scenarios by name.
struct KnownCause {
  std::string reason, link;
  std::vector<const ScenarioResult*> scenarios;
};
/// What explains most first.
[[nodiscard]] std::vector<KnownCause> known_causes_of(const RunResult& result);

}  // namespace tunecheck
