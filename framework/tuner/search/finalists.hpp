#pragma once
// Which configs are looked at again before one of them wins.
#include <cstddef>
#include <span>
#include <vector>

#include "tuner/trial/trial.hpp"

namespace tunecheck {

/// The trials to look at again, until one has been found the fastest in three looks: chance may
/// favour a config once, and even twice (helion#2377). Where the fastest has not been looked at
/// again yet, it and the best others that cannot be told apart from it, up to three in all, the
/// fastest first; where it has been once, it alone; else nothing. Nothing either where no other
/// could win. `further_looks` has one element a trial.
[[nodiscard]] std::vector<std::size_t> finalists(std::span<const Trial> trials,
                                                 const std::vector<int>& further_looks);

}  // namespace tunecheck
