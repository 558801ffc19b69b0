#pragma once
// A loaded GPU kernel.
#include <memory>

#include "backend/backend.hpp"
#include "backend/gpu/driver/device.hpp"

namespace tunecheck::gpu {

/// Loads the artifact in the thread's context now, and in each further context when it is first
/// launched there. The device outlives the module.
[[nodiscard]] Result<std::unique_ptr<Module>> load_gpu_module(const GpuDevice& device,
                                                              const Artifact& artifact);

}  // namespace tunecheck::gpu
