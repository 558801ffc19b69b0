#pragma once
// An audit read back from audit.json.
#include "judge/verdict.hpp"
#include "reports/json_value.hpp"

namespace tunecheck {

/// The document that `tunecheck audit` wrote. Throws a JsonMistake.
[[nodiscard]] AuditResult audit_from(const JsonValue& json);

}  // namespace tunecheck
