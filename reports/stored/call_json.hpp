#pragma once
// Calls in result.json.
#include <nlohmann/json.hpp>

#include "result/call_summary.hpp"

namespace tunecheck {

/// As "call" in reports/schema/result.schema.json.
[[nodiscard]] nlohmann::ordered_json call_json(const CallSummary& call);

}  // namespace tunecheck
