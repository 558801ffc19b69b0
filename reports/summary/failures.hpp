#pragma once
// What is bad about a run, and in which order a reader wants to hear of it: the same for every
// format.
#include <string>
#include <vector>

#include "result/verdict.hpp"

namespace tunecheck {

/// It failed or ended in an error.
[[nodiscard]] bool is_bad(const CheckResult& check);
[[nodiscard]] bool is_bad(const ScenarioResult& scenario);

/// The answers of a scenario that are bad, of each check and verdict the first: a check that fails
/// in every call fails for one reason. They live as long as the scenario.
[[nodiscard]] std::vector<const CheckResult*> bad_checks(const ScenarioResult& scenario);

/// Why a scenario is bad, in one sentence: the check that explains the others first, and how many
/// more there are.
[[nodiscard]] std::string reason_of(const ScenarioResult& scenario);

/// The scenarios that failed or ended in an error, worst first: errors before failures, then those
/// that failed in a check of their own family, then by family (wrong results before needless work),
/// by the number of checks that did not pass, and by name.
[[nodiscard]] std::vector<const ScenarioResult*> worst_first(const RunResult& result);

}  // namespace tunecheck
