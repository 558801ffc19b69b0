#pragma once
// Calls of result.json.
#include "reports/stored/json_value.hpp"
#include "result/call_summary.hpp"

namespace tunecheck {

/// As call_json() writes it. Throws a JsonMistake.
[[nodiscard]] CallSummary call_from(const JsonValue& json);

}  // namespace tunecheck
