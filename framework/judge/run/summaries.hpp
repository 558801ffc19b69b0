#pragma once
// From what happened to what reports show of it.
#include <vector>

#include "judge/checks/record.hpp"
#include "result/verdict.hpp"

namespace tunecheck {

/// All processes of a scenario with their calls, in the order of the record.
[[nodiscard]] std::vector<ProcessSummary> summaries_of(const ScenarioRecord& record);

}  // namespace tunecheck
