#pragma once
// What the probe declares of HIP's runtime, whose headers are not needed to build it; a test
// compares it with these (tests/hip/headers_test.cpp).
#include <cstddef>
#include <cstdint>

#include "core/result.hpp"

namespace tunecheck::gpu::hip {

using Status = int;  ///< hipError_t; 0 is success
using Address = void*;

/// dim3
struct Dimensions {
  std::uint32_t x = 1, y = 1, z = 1;
};

/// hipKernelNodeParams
struct KernelNodeParameters {
  Dimensions block;
  void** extra = nullptr;
  void* function = nullptr;
  Dimensions grid;
  void** parameters = nullptr;
  unsigned shared_bytes = 0;
};

/// HIP_LAUNCH_CONFIG, of HIP 7; more follows.
struct LaunchConfig {
  unsigned grid[3];
  unsigned block[3];
  unsigned shared_bytes;
  void* stream;
};

/// hipLaunchConfig_t, of HIP 7; more follows.
struct LinkedLaunchConfig {
  Dimensions grid;
  Dimensions block;
  std::size_t shared_bytes;
  void* stream;
};

/// hipDeviceAttributeL2CacheSize, the same in HIP 5 and HIP 6.
inline constexpr int l2_bytes_attribute = 19;

/// Of hipGraphNodeType; HIP counted its members from 1 before version 6, and from 0 since.
struct NodeTypes {
  int kernel = 0;
  int graph = 0;
};
[[nodiscard]] constexpr NodeTypes node_types(int major_version) {
  return major_version < 6 ? NodeTypes{1, 5} : NodeTypes{0, 4};
}

/// The calls of one runtime that the probe makes itself (rocm.docs.amd.com, "HIP Runtime API").
struct Functions {
  const char* (*error_name)(Status) = nullptr;
  Status (*version)(int*) = nullptr;
  Status (*current_context)(void** context) = nullptr;
  Status (*context_device)(int*) = nullptr;
  Status (*device_attribute)(int*, int attribute, int device) = nullptr;
  Status (*exchange_capture_mode)(int*) = nullptr;
  Status (*is_capturing)(void* stream, int* status) = nullptr;
  Status (*synchronize)(void* stream) = nullptr;
  Status (*allocate)(Address*, std::size_t bytes) = nullptr;
  Status (*fill)(Address, unsigned char value, std::size_t count, void* stream) = nullptr;
  Status (*copy_to_host)(void* to, Address from, std::size_t bytes, void* stream) = nullptr;
  Status (*address_range)(Address* base, std::size_t* bytes, Address) = nullptr;
  // Null where the runtime lacks them.
  Status (*peek_error)() = nullptr;
  Status (*take_error)() = nullptr;
  Status (*graph_nodes)(void* graph, void** nodes, std::size_t* count) = nullptr;
  Status (*node_type)(void* node, int* type) = nullptr;
  Status (*kernel_node)(void* node, KernelNodeParameters*) = nullptr;
  Status (*child_graph)(void* node, void** graph) = nullptr;
};

/// Those of a library that is loaded in this process; an error where one is missing that the probe
/// cannot do without. `library` is a handle of dlopen's.
[[nodiscard]] Result<Functions> find_functions(void* library);

/// Success, or "hipMalloc: hipErrorOutOfMemory".
[[nodiscard]] Result<void> check(const Functions& functions, Status status, const char* call);

}  // namespace tunecheck::gpu::hip
