#pragma once
// A selection that is run while working: few scenarios that still ask everything. It is computed
// from the scenarios themselves, so that nobody keeps a list.
#include <cstdint>
#include <set>
#include <string_view>
#include <vector>

#include "judge/scenario/catalogue.hpp"

namespace tunecheck {

/// About how many configs a run of the scenario compiles and tries, and what else takes time.
/// Comparable with that of other scenarios, and nothing more.
[[nodiscard]] std::int64_t cost_of(const Scenario& scenario, const KernelDefinition& kernel);

/// The cheapest of `scenarios` (nearly: it is found greedily) that together have every family that
/// they all have, and name every check but `not_asked`, by name. In their order.
[[nodiscard]] std::vector<const Scenario*> quick_selection(
    const Catalogue& catalogue, const std::vector<const Scenario*>& scenarios,
    const std::set<std::string_view>& not_asked = {});

}  // namespace tunecheck
