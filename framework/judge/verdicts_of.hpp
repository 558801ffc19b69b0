#pragma once
// From what happened to verdicts: which checks are asked about which call.
#include "judge/record.hpp"
#include "judge/verdict.hpp"

namespace tunecheck {

/// The answers of all checks that a scenario asks, and of those that are always asked.
[[nodiscard]] std::vector<CheckResult> judge_record(const ScenarioRecord& record);

/// The checks that the scenario's calls name and that are not among `answers`, by name. Calls amid
/// which their process is killed are asked nothing.
[[nodiscard]] std::vector<std::string> unanswered(const Scenario& scenario,
                                                  const std::vector<CheckResult>& answers);

/// error before fail before unsupported before pass; error where there is none.
[[nodiscard]] Verdict worst_of(const std::vector<CheckResult>& checks);

}  // namespace tunecheck
