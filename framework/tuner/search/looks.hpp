#pragma once
// What several looks at one config say together.
#include <cstdint>
#include <vector>

#include "tuner/trial/trial.hpp"

namespace tunecheck {

/// Adds a look's samples to a measured (or untried) trial, whose samples so far are in `pooled`.
/// Looks that agree, their intervals overlapping, count together; of two that do not, the slower
/// one counts and the other was chance.
void add_look(Trial& trial, std::vector<std::int64_t>& pooled, std::vector<std::int64_t> samples);

}  // namespace tunecheck
