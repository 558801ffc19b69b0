#pragma once
// Numbers and pairs for the gate's tests, the same from the same seed.
#include <cstdint>
#include <vector>

#include "gate/rule/comparison.hpp"

namespace tunecheck::test {

/// Mean 0, deviation 1.
[[nodiscard]] std::vector<double> normal_numbers(std::size_t count, std::uint64_t seed);

/// Processes of three samples around `base` and `head`.
[[nodiscard]] gate::Pair pair_of(double base, double head);

/// Pairs of a head that is slower by `slowdown`, where ln of the ratios scatters with `deviation`.
[[nodiscard]] std::vector<gate::Pair> noisy_pairs(std::size_t count, double slowdown,
                                                  double deviation, std::uint64_t seed);

/// Adds pairs from the front as long as the stage wants some; returns how many were taken.
std::size_t feed(gate::Comparison& comparison, const std::vector<gate::Pair>& pairs);

}  // namespace tunecheck::test
