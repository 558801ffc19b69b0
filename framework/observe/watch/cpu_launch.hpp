#pragma once
// A launch of a kernel that is built with tunecheck/cpu_kernel.h.
#include <tunecheck/cpu_kernel.h>

#include "observe/watch/bursts.hpp"

namespace tunecheck::watch {

/// All that the launch says of itself; `entry` is the kernel's entry, which launches it again. What
/// the arguments point to is not needed any more.
[[nodiscard]] LaunchSeen see_cpu_launch(const char* kernel, const char* config, const void* entry,
                                        const tunecheck_launch& launch);

}  // namespace tunecheck::watch
