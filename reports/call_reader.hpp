#pragma once
// Calls of result.json.
#include "judge/call_summary.hpp"
#include "reports/json_value.hpp"

namespace tunecheck {

/// As call_json() writes it. Throws a JsonMistake.
[[nodiscard]] CallSummary call_from(const JsonValue& json);

}  // namespace tunecheck
