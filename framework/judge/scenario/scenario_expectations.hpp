#pragma once
// What a call is expected to do: the block `expect` of a scenario file.
#include <set>
#include <string>

#include "core/info.hpp"
#include "judge/scenario/scenario.hpp"

namespace tunecheck {

/// Reads one line of the block into `call`. `earlier` are the processes that a check may name.
void read_expectation(const InfoNode& node, const std::set<std::string>& earlier, CallStep& call,
                      InfoErrors& errors);

}  // namespace tunecheck
