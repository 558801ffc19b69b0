#pragma once
// What a call asks of an adapter, because its scenario chose it.
#include <string_view>
#include <vector>

#include "judge/scenario/scenario.hpp"

namespace tunecheck {

/// Capabilities, in no order; one may come twice.
[[nodiscard]] std::vector<std::string_view> needs_of(const Settings& settings);

}  // namespace tunecheck
