#pragma once
// The JSON schema of a document, from the list of its fields: reports/schema/*.schema.json.
#include <string>

#include <nlohmann/json.hpp>

#include "reports/fields/description.hpp"

namespace tunecheck {

/// A JSON Schema of the draft 2020-12 for documents whose fields these are; every other object that
/// they name is in its "$defs". `file` is its name, "result.schema.json".
[[nodiscard]] nlohmann::ordered_json schema_of(const ObjectDescription& document,
                                               const std::string& file, const std::string& title);

}  // namespace tunecheck
