#pragma once
// Changes to a scenario's own copy of a kernel: to its source, its headers or its kernel.info.
#include <filesystem>

#include "core/kernel.hpp"
#include "core/result.hpp"
#include "harness/process/process_setup.hpp"

namespace tunecheck {

/// Does what `touch` says to the copy in `folder`, whose source for the device is `source`. Texts
/// that are added hold the `number`: a second touch makes another text of it. An error where the
/// kernel has no such place.
[[nodiscard]] Result<void> touch_kernel(const Touch& touch, const std::filesystem::path& source,
                                        const std::filesystem::path& folder,
                                        const KernelDefinition& kernel, int number);

}  // namespace tunecheck
