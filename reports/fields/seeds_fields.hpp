#pragma once
// The fields of seeds.json.
#include <string_view>

#include "reports/fields/field.hpp"
#include "result/seeds_result.hpp"

namespace tunecheck {

/// Version of reports/schema/seeds.schema.json. A field that changes its meaning or goes away
/// raises the major number, a new field the minor one.
inline constexpr std::string_view seeds_schema_version = "1.0.0";

[[nodiscard]] const Fields<SeedRun>& fields_of(Of<SeedRun>);
[[nodiscard]] const Fields<SeedsResult>& fields_of(Of<SeedsResult>);

}  // namespace tunecheck
