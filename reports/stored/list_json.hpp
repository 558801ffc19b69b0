#pragma once
// Lists for programs: reports/schema/{scenarios,checks,kernels,adapters,mutants}-list.schema.json.
#include <string>

#include "reports/fields/list_fields.hpp"

namespace tunecheck {

[[nodiscard]] std::string list_json(const listed::Scenarios& list);
[[nodiscard]] std::string list_json(const listed::Checks& list);
[[nodiscard]] std::string list_json(const listed::Kernels& list);
[[nodiscard]] std::string list_json(const listed::Adapters& list);
[[nodiscard]] std::string list_json(const listed::Mutants& list);
/// version.schema.json
[[nodiscard]] std::string list_json(const listed::Version& list);

}  // namespace tunecheck
