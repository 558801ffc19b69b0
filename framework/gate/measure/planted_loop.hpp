#pragma once
// A kernel that is really slower on a GPU: with a loop in its source. How the slowdown of a canary
// is planted where no clock of the host reaches: the device itself tells how long a launch takes.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "core/kernel.hpp"
#include "core/result.hpp"

namespace tunecheck::gate {

/// The source of a kernel for CUDA, `entry`, in which the thread that is the last of all to leave a
/// launch first loops for so many cycles of its multiprocessor. A loop at a block's begin hides:
/// the other blocks wait for memory and code that this block finds in the cache afterwards. What
/// counts the blocks costs time as well: a comparison of two kernels plants a loop in both, of 0
/// cycles in one. Cycles, because the device's clock of nanoseconds advances in steps that may be
/// longer than the loop. Nothing where the entry's definition is not found.
[[nodiscard]] std::optional<std::string> with_planted_loop(const std::string& source,
                                                           const std::string& entry,
                                                           std::int64_t loop_cycles);

/// Why there is no such kernel: it has no source for GPUs, or one without a definition that can be
/// found. "" where there is one.
[[nodiscard]] std::string why_no_planted_loop(const KernelDefinition& kernel);

/// A copy of the kernel with the loop, whose files go to `folder`, which is replaced.
[[nodiscard]] Result<KernelDefinition> plant_loop(const KernelDefinition& kernel,
                                                  std::int64_t loop_cycles,
                                                  const std::filesystem::path& folder);

/// A loop long enough for any launch to show it: what a cycle takes is measured with it.
inline constexpr std::int64_t probe_cycles = 100'000;

/// How many cycles make a launch that takes `own_ns` longer by `share`, where a loop of
/// probe_cycles made it take `probed_ns`. The error: that is not what so many cycles take on any
/// GPU, so that the loop does not do what it should.
[[nodiscard]] Result<std::int64_t> loop_cycles_for(double own_ns, double probed_ns, double share);

/// Why a loop that is to make launches longer by `share` does not, by medians of processes of both
/// kinds: it makes them longer by less than half or more than one and a half times that. "" where
/// it does. Neither is empty.
[[nodiscard]] std::string why_no_effect(std::span<const double> without_ns,
                                        std::span<const double> with_ns, double share);

}  // namespace tunecheck::gate
