#pragma once
// Trials in a process with a context of its own: what a kernel does to its context and its process,
// it does to nobody else.
#include <chrono>
#include <memory>

#include "backend/backend.hpp"
#include "backend/gpu/driver/device.hpp"
#include "core/device_kinds.hpp"

namespace tunecheck::gpu {

/// A site that is the program tunecheck-gpu-worker. It shares the memory that `memory` allocates in
/// this process by the driver's handles (cuIpcGetMemHandle) and starts at once, and again
/// when it is needed after it died. `memory` and `device` outlive it.
[[nodiscard]] std::unique_ptr<TrialSite> make_trial_worker(const GpuDevice& device,
                                                           const TensorMemory& memory,
                                                           DeviceKind backend,
                                                           std::chrono::milliseconds time_limit);

}  // namespace tunecheck::gpu
