#pragma once
// The part of a report that explains what went wrong, scenario by scenario.
#include "judge/verdict.hpp"
#include "reports/terminal_page.hpp"

namespace tunecheck {

/// The scenarios that failed or ended in an error, worst first: errors before failures, then by the
/// number of checks that did not pass, then by name.
[[nodiscard]] std::vector<const ScenarioResult*> worst_first(const RunResult& result);

/// One block for each of them: what it is about, what was expected and observed, where the evidence
/// is, how to repeat it.
void write_failures(Page& page, const RunResult& result);

}  // namespace tunecheck
