#include "observe/gpu/cuda/functions.hpp"

#include <dlfcn.h>

namespace tunecheck::gpu {
namespace {

// The first function that is missing stays in `missing`.
struct Lookup {
  void* library;
  const char* missing = nullptr;

  template <class Function>
  void find(Function*& function, const char* name) {
    function = reinterpret_cast<Function*>(::dlsym(library, name));
    if (function == nullptr && missing == nullptr) missing = name;
  }
};

}  // namespace

Result<CudaFunctions> find_functions() {
  // Never closed: kernels may be launched while the process ends.
  void* const library = ::dlopen("libcuda.so.1", RTLD_NOW);
  if (library == nullptr) return failure("there is no CUDA driver");
  CudaFunctions functions;
  Lookup lookup{library};
  lookup.find(functions.get_error_name, "cuGetErrorName");
  lookup.find(functions.context_device, "cuCtxGetDevice");
  lookup.find(functions.current_context, "cuCtxGetCurrent");
  lookup.find(functions.push_context, "cuCtxPushCurrent_v2");
  lookup.find(functions.pop_context, "cuCtxPopCurrent_v2");
  lookup.find(functions.device_attribute, "cuDeviceGetAttribute");
  lookup.find(functions.exchange_capture_mode, "cuThreadExchangeStreamCaptureMode");
  lookup.find(functions.is_capturing, "cuStreamIsCapturing");
  lookup.find(functions.synchronize, "cuStreamSynchronize");
  lookup.find(functions.load_module, "cuModuleLoadData");
  lookup.find(functions.find_function, "cuModuleGetFunction");
  lookup.find(functions.launch, "cuLaunchKernel");
  lookup.find(functions.allocate, "cuMemAlloc_v2");
  lookup.find(functions.fill, "cuMemsetD8Async");
  lookup.find(functions.copy_to_host, "cuMemcpyDtoHAsync_v2");
  lookup.find(functions.copy_on_device, "cuMemcpyDtoD_v2");
  lookup.find(functions.copy_from_device, "cuMemcpyDtoH_v2");
  lookup.find(functions.copy_to_device, "cuMemcpyHtoD_v2");
  lookup.find(functions.give_back, "cuMemFree_v2");
  lookup.find(functions.lock_host_memory, "cuMemHostRegister_v2");
  lookup.find(functions.memory_info, "cuMemGetInfo_v2");
  lookup.find(functions.synchronize_context, "cuCtxSynchronize");
  lookup.find(functions.launch_configured, "cuLaunchKernelEx");
  lookup.find(functions.pointer_attribute, "cuPointerGetAttribute");
  lookup.find(functions.function_parameter, "cuFuncGetParamInfo");
  lookup.find(functions.kernel_parameter, "cuKernelGetParamInfo");
  lookup.find(functions.function_name, "cuFuncGetName");
  lookup.find(functions.kernel_name, "cuKernelGetName");
  lookup.find(functions.function_module, "cuFuncGetModule");
  lookup.find(functions.kernel_library, "cuKernelGetLibrary");
  lookup.find(functions.graph_nodes, "cuGraphGetNodes");
  lookup.find(functions.node_type, "cuGraphNodeGetType");
  lookup.find(functions.kernel_node, "cuGraphKernelNodeGetParams_v2");
  lookup.find(functions.child_graph, "cuGraphChildGraphNodeGetGraph");
  if (lookup.missing != nullptr)
    return failure("the CUDA driver is too old: it lacks {}", lookup.missing);
  return functions;
}

Result<void> check(const CudaFunctions& functions, CUresult status, const char* call) {
  if (status == CUDA_SUCCESS) return {};
  const char* name = nullptr;
  if (functions.get_error_name(status, &name) != CUDA_SUCCESS || name == nullptr) name = "unknown";
  return failure("{}: {}", call, name);
}

}  // namespace tunecheck::gpu
