#pragma once
// A launch of a CUDA kernel, as the driver is asked for it.
#include <cstddef>
#include <cstdint>
#include <span>
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

/// An address among the arguments of a launch.
struct CudaPointer {
  std::size_t parameter = 0;
  std::size_t at = 0;      ///< bytes into it
  std::size_t region = 0;  ///< of the launch
  std::uint64_t offset = 0;
};

/// The arguments of a launch. Tensors are parameters, or 8 aligned bytes inside one, that point
/// into memory of the device; each is the whole block or allocation.
struct CudaArguments {
  std::vector<std::span<const std::byte>> values;  ///< of the parameters; the program's memory
  std::vector<CudaPointer> pointers;
  Regions regions;
  std::vector<bool> has_rest;   ///< as LaunchSeen has it
  std::string why_no_replay;    ///< "" if they can be read
  std::uint64_t quick_key = 0;  ///< as LaunchSeen has it
};

[[nodiscard]] CudaArguments read_cuda_arguments(CudaMemory& memory, gpu::LoadedCode& code,
                                                const void* function,
                                                const gpu::Arguments& arguments);

/// What the launch says of itself.
[[nodiscard]] LaunchSeen see_cuda_launch(const gpu::CudaFunctions& functions, gpu::LoadedCode& code,
                                         const std::string& symbol, const void* function,
                                         CudaConfiguration configuration,
                                         const CudaArguments& arguments);

}  // namespace tunecheck::watch
