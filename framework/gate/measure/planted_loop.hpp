#pragma once
// A kernel that is really slower on a GPU: with a loop in its source. How the slowdown of a canary
// is planted where no clock of the host reaches: the device itself tells how long a launch takes.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "core/kernel.hpp"
#include "core/result.hpp"

namespace tunecheck::gate {

/// The source of a kernel for CUDA, `entry`, in which the thread that is the last of all to leave a
/// launch first loops until `loop_ns` have gone by on the device's clock. A loop at a block's begin
/// hides: the other blocks wait for memory and code that this block finds in the cache afterwards.
/// What counts the blocks costs time as well: a comparison of two kernels plants a loop in
/// both, of 0 ns in one. Nothing where the entry's definition is not found.
[[nodiscard]] std::optional<std::string> with_planted_loop(const std::string& source,
                                                           const std::string& entry,
                                                           std::int64_t loop_ns);

/// Why there is no such kernel: it has no source for GPUs, or one without a definition that can be
/// found. "" where there is one.
[[nodiscard]] std::string why_no_planted_loop(const KernelDefinition& kernel);

/// A copy of the kernel with the loop, whose files go to `folder`, which is replaced.
[[nodiscard]] Result<KernelDefinition> plant_loop(const KernelDefinition& kernel,
                                                  std::int64_t loop_ns,
                                                  const std::filesystem::path& folder);

}  // namespace tunecheck::gate
