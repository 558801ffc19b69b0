#pragma once
// Rows of the table of checks: of winners that come from elsewhere (remote caches, tables, bundles,
// archives) or later (calls that do not wait).
#include <span>

#include "judge/checks/table/check.hpp"

namespace tunecheck {

/// They stand in the table as they stand here. Lives as long as the program.
[[nodiscard]] std::span<const Check> rows_of_sharing();

}  // namespace tunecheck
