#pragma once
// The functions of the CUDA driver that the probe calls itself. The driver is in the process
// already; nothing links it.
#include <string>

#include "core/result.hpp"
#include "observe/gpu/cuda/cuda_headers.hpp"

namespace tunecheck::gpu {

/// The calls of one driver; docs.nvidia.com/cuda/cuda-driver-api says what each does.
struct CudaFunctions {
  CUresult (*get_error_name)(CUresult, const char**) = nullptr;
  CUresult (*context_device)(CUdevice*) = nullptr;
  CUresult (*current_context)(CUcontext*) = nullptr;
  CUresult (*push_context)(CUcontext) = nullptr;
  CUresult (*pop_context)(CUcontext*) = nullptr;
  CUresult (*device_attribute)(int*, CUdevice_attribute, CUdevice) = nullptr;
  CUresult (*exchange_capture_mode)(CUstreamCaptureMode*) = nullptr;
  CUresult (*is_capturing)(CUstream, CUstreamCaptureStatus*) = nullptr;
  CUresult (*synchronize)(CUstream) = nullptr;
  CUresult (*load_module)(CUmodule*, const void*) = nullptr;
  CUresult (*find_function)(CUfunction*, CUmodule, const char*) = nullptr;
  CUresult (*launch)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                     unsigned, CUstream, void**, void**) = nullptr;
  CUresult (*allocate)(CUdeviceptr*, std::size_t) = nullptr;
  CUresult (*fill)(CUdeviceptr, unsigned char, std::size_t, CUstream) = nullptr;
  CUresult (*copy_to_host)(void*, CUdeviceptr, std::size_t, CUstream) = nullptr;
  CUresult (*copy_on_device)(CUdeviceptr, CUdeviceptr, std::size_t) = nullptr;
  CUresult (*copy_from_device)(void*, CUdeviceptr, std::size_t) = nullptr;
  CUresult (*copy_to_device)(CUdeviceptr, const void*, std::size_t) = nullptr;
  CUresult (*lock_host_memory)(void*, std::size_t, unsigned) = nullptr;
  CUresult (*memory_info)(std::size_t*, std::size_t*) = nullptr;
  CUresult (*give_back)(CUdeviceptr) = nullptr;
  CUresult (*synchronize_context)() = nullptr;
  CUresult (*launch_configured)(const CUlaunchConfig*, CUfunction, void**, void**) = nullptr;
  CUresult (*pointer_attribute)(void*, CUpointer_attribute, CUdeviceptr) = nullptr;
  CUresult (*function_parameter)(CUfunction, std::size_t, std::size_t*, std::size_t*) = nullptr;
  CUresult (*kernel_parameter)(CUkernel, std::size_t, std::size_t*, std::size_t*) = nullptr;
  CUresult (*function_name)(const char**, CUfunction) = nullptr;
  CUresult (*kernel_name)(const char**, CUkernel) = nullptr;
  CUresult (*function_module)(CUmodule*, CUfunction) = nullptr;
  CUresult (*kernel_library)(CUlibrary*, CUkernel) = nullptr;
  CUresult (*graph_nodes)(CUgraph, CUgraphNode*, std::size_t*) = nullptr;
  CUresult (*node_type)(CUgraphNode, CUgraphNodeType*) = nullptr;
  CUresult (*kernel_node)(CUgraphNode, CUDA_KERNEL_NODE_PARAMS_v2*) = nullptr;
  CUresult (*child_graph)(CUgraphNode, CUgraph*) = nullptr;
};

/// The driver that is loaded in this process; an error where a function is missing.
[[nodiscard]] Result<CudaFunctions> find_functions();

/// Success, or "cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY".
[[nodiscard]] Result<void> check(const CudaFunctions& functions, CUresult status, const char* call);

}  // namespace tunecheck::gpu
