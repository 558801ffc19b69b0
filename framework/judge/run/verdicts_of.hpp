#pragma once
// From what happened to verdicts: which checks are asked about which call.
#include "judge/checks/record.hpp"
#include "result/verdict.hpp"

namespace tunecheck {

/// The answers of all checks that a scenario asks, and of those that are always asked.
[[nodiscard]] std::vector<CheckResult> judge_record(const ScenarioRecord& record);

/// error before fail before unsupported before pass; error where there is none.
[[nodiscard]] Verdict worst_of(const std::vector<CheckResult>& checks);

}  // namespace tunecheck
