#pragma once
// As much of JSON Schema as reports/schema uses: type, const, enum, required, properties,
// additionalProperties, items, minimum, maximum and $ref.
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace tunecheck::test {

/// reports/schema/`name`.
[[nodiscard]] nlohmann::json read_schema(const std::string& name);

/// What in `document` breaks the schema, each as "/path: complaint"; a keyword that this validator
/// does not know is a complaint too.
[[nodiscard]] std::vector<std::string> violations(const nlohmann::json& document,
                                                  const std::string& schema_name);

}  // namespace tunecheck::test
