#pragma once
// What two sides launch so that the luck of their tunings is in neither's times.
//
// A tuning that something disturbed may choose a config that is 30 % slower. Where each side
// launched what its own few tunings chose, one such tuning was in every fifth pair, and sessions of
// equal builds answered "regression". So there are two questions, each with a unit of its own: is
// the head's code slower (both launch the same configs; the unit is the process), and does the head
// choose worse (each observation is a fresh tuning).
#include <cstddef>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "gate/measure/kernel_side.hpp"

namespace tunecheck::gate {

/// The configs that both sides launch, as often as tunings of the base chose them.
struct CommonConfigs {
  std::vector<std::string> configs;
  bool are_stored = false;  ///< tunings of either side chose each: what they stored is launched
  std::string reason;       ///< why there is none; else ""
};

/// Those that tunings of both sides chose; if there is none, those of the base that the head's
/// kernel has too, which the judge compiles of each side's kernel. Both sides are tuned.
[[nodiscard]] CommonConfigs common_configs(const KernelSide& base, const KernelSide& head);

/// A launch of the config of pair `number`, by the judge, in a fresh process. `common` has configs.
[[nodiscard]] Result<ProcessRun> launch_time(KernelSide& side, const CommonConfigs& common,
                                             std::size_t number, bool is_slowed);

/// Whether looped_launch_time() can be: on CUDA, of configs that the judge can compile.
[[nodiscard]] bool can_loop(const KernelSide& side, const CommonConfigs& common);
/// The same as launch_time(), always compiled by the judge, and slowed down by a loop in the
/// kernel.
[[nodiscard]] Result<ProcessRun> looped_launch_time(KernelSide& side, const CommonConfigs& common,
                                                    std::size_t number, bool is_slowed);
/// Why a loop of Bench::planted does not make launches of `side`, which is not slowed down
/// otherwise, that much longer: three processes with it and three without it say so. "" where it
/// does. can_loop() is true.
[[nodiscard]] Result<std::string> trouble_of_loop(KernelSide& side, const CommonConfigs& common,
                                                  double planted);

/// The tuning of `side` whose cache pair `number` begins with: of either side one that chose the
/// same config, where tunings of both did. Otherwise their own in turn, `number` itself: then the
/// sides differ in what they chose, too.
[[nodiscard]] std::size_t tuning_of_pair(const KernelSide& side, const CommonConfigs& common,
                                         std::size_t number);

/// Why choice_time() cannot be; "" where it can.
[[nodiscard]] std::string why_no_choice(const KernelSide& base, const KernelSide& head);

/// A tuning of `side` with an empty cache, and a launch of what it chose, always with the base's
/// kernel. The time is that of the launch.
[[nodiscard]] Result<ProcessRun> choice_time(KernelSide& side, KernelSide& base);

}  // namespace tunecheck::gate
