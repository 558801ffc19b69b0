#pragma once
// Which configs are looked at again before one of them wins.
#include <cstddef>
#include <span>
#include <vector>

#include "tuner/trial.hpp"

namespace tunecheck {

/// The fastest trial, where it has not been looked at again yet, and with it the best others that
/// cannot be told apart from it: up to three in all, the fastest first. Nothing where the fastest
/// has been: one look in one process makes no winner, since chance may have favoured it
/// (helion#2377). Nothing either where no other could win. `looked_again` has one element a trial.
[[nodiscard]] std::vector<std::size_t> finalists(std::span<const Trial> trials,
                                                 const std::vector<bool>& looked_again);

}  // namespace tunecheck
