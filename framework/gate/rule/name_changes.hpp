#pragma once
// Benchmarks that base and head do not both have.
#include <string>
#include <vector>

#include "gate/rule/gate_result.hpp"

namespace tunecheck::gate {

/// Fills in added, removed and renamed. `base` and `head` are names in the order of their programs;
/// where as many were removed as were added between the same neighbours, they may have been renamed
/// in that order.
void note_names(const std::vector<std::string>& base, const std::vector<std::string>& head,
                GateResult& result);

}  // namespace tunecheck::gate
