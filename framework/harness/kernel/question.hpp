#pragma once
// What the oracle is asked about one launch.
#include <map>
#include <span>
#include <string>

#include "harness/kernel/oracle.hpp"
#include "harness/kernel/tensor_file.hpp"

namespace tunecheck {

/// The launch on the initial content of `files` (in the order of the kernel file); with `zeroed`,
/// tensors in reset_to_zero hold zeros. `scalars` are rounded to their dtypes, as the kernel gets
/// them; those that are not named have the kernel file's value.
[[nodiscard]] Oracle::Question make_question(const KernelDefinition& kernel,
                                             std::span<const TensorFile> files, bool zeroed,
                                             const std::map<std::string, double>& scalars);

}  // namespace tunecheck
