#pragma once
// A launch of a CUDA kernel, as the driver is asked for it.
#include <cstdint>
#include <string>
#include <vector>

#include "observe/gpu/cuda/functions.hpp"
#include "observe/gpu/loaded_code.hpp"
#include "observe/watch/bursts.hpp"
#include "observe/watch/cuda/cuda_memory.hpp"

namespace tunecheck::watch {

/// Everything but the arguments.
struct CudaConfiguration {
  CUlaunchConfig config{};  ///< its attributes are those below
  std::vector<CUlaunchAttribute> attributes;
};

/// What the launch says of itself. Tensors are parameters, or 8 aligned bytes inside one, that
/// point into memory of the device; each is the whole allocation.
[[nodiscard]] LaunchSeen see_cuda_launch(const gpu::CudaFunctions& functions, CudaMemory& memory,
                                         gpu::LoadedCode& code, const std::string& symbol,
                                         const void* function, CudaConfiguration configuration,
                                         const gpu::Arguments& arguments);

}  // namespace tunecheck::watch
