#pragma once
// An audit read back from audit.json.
#include "reports/stored/json_value.hpp"
#include "result/verdict.hpp"

namespace tunecheck {

/// The document that `tunecheck audit` wrote. Throws a JsonMistake.
[[nodiscard]] AuditResult audit_from(const JsonValue& json);

}  // namespace tunecheck
