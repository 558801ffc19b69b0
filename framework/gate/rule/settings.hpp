#pragma once
// The numbers of the gate's rule; docs/gate-rule.md says why they are what they are.
#include <cstddef>

#include "core/result.hpp"

namespace tunecheck::gate {

struct Settings {
  double delta = 0.02;      ///< slowdowns up to this are nobody's business: 0.02 is 2 %
  double tolerance = 0.05;  ///< a slowdown of this must be found, and none above it may pass
  /// The chance that a run, of however many benchmarks, reports any regression where none is above
  /// delta; likewise for improvements.
  double alpha = 0.01;
  /// The chance that a run reports any regression where none of its heads is slower at all, however
  /// much its machine scatters; likewise for improvements. 1 asks nothing, as rules before it did.
  /// Half of the 10 in 100,000 that the rule promises, so that a calibration seldom sees more.
  double same_alpha = 5e-5;
  double pass_alpha = 0.025;  ///< the chance of each look to pass what is slower than the tolerance
  double planned_power = 0.99;  ///< confirmations are long enough to find the tolerance this often
  double stated_power = 0.95;   ///< how often the smallest slowdown that a finding states is found
  double planted = 0.10;        ///< the slowdown of the canary that must be found

  std::size_t screen_pairs = 10;
  std::size_t least_pairs = 40;  ///< of a confirmation, where there is little scatter
  std::size_t most_pairs = 60;   ///< of a confirmation that no number of pairs would help

  /// Of a confirmation, where the scatter is such that so many can tell and most_pairs cannot.
  [[nodiscard]] std::size_t longest_pairs() const { return 4 * most_pairs; }

  bool operator==(const Settings&) const = default;
};

/// The defaults with these two in their place. What is planted is at least twice the tolerance, so
/// that the canary that has it stays as easy to tell.
[[nodiscard]] Settings settings_with(double delta, double tolerance);

/// An error where a setting makes no sense, or the pairs are too few for the levels.
[[nodiscard]] Result<void> check(const Settings& settings);

}  // namespace tunecheck::gate
