#pragma once
// The part of a report that explains what went wrong, scenario by scenario.
#include "reports/terminal/terminal_page.hpp"
#include "result/verdict.hpp"

namespace tunecheck {

/// It failed or ended in an error.
[[nodiscard]] bool is_bad(const CheckResult& check);
[[nodiscard]] bool is_bad(const ScenarioResult& scenario);

/// The answers of a scenario that are bad, of each check and verdict the first: a check that fails
/// in every call fails for one reason. They live as long as the scenario.
[[nodiscard]] std::vector<const CheckResult*> bad_checks(const ScenarioResult& scenario);

/// Why a scenario is bad, in one sentence; the first of its checks, and how many more there are.
[[nodiscard]] std::string reason_of(const ScenarioResult& scenario);

/// The scenarios that failed or ended in an error, worst first: errors before failures, then those
/// that failed in a check of their own family, then by family (wrong results before needless work),
/// by the number of checks that did not pass, and by name.
[[nodiscard]] std::vector<const ScenarioResult*> worst_first(const RunResult& result);

/// One block for each of them: what it is about, what was expected and observed, where the evidence
/// is, how to repeat it. A scenario that failed only in checks that a block before has explained is
/// listed by name.
void write_failures(Page& page, const RunResult& result);

}  // namespace tunecheck
