#include "observe/gpu/cuda/driver.hpp"

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

Result<Driver> find_driver() {
  // Never closed: kernels may be launched while the process ends.
  void* const library = ::dlopen("libcuda.so.1", RTLD_NOW);
  if (library == nullptr) return failure("there is no CUDA driver");
  Driver driver;
  Lookup lookup{library};
  lookup.find(driver.get_error_name, "cuGetErrorName");
  lookup.find(driver.context_device, "cuCtxGetDevice");
  lookup.find(driver.device_attribute, "cuDeviceGetAttribute");
  lookup.find(driver.exchange_capture_mode, "cuThreadExchangeStreamCaptureMode");
  lookup.find(driver.is_capturing, "cuStreamIsCapturing");
  lookup.find(driver.synchronize, "cuStreamSynchronize");
  lookup.find(driver.load_module, "cuModuleLoadData");
  lookup.find(driver.find_function, "cuModuleGetFunction");
  lookup.find(driver.launch, "cuLaunchKernel");
  lookup.find(driver.allocate, "cuMemAlloc_v2");
  lookup.find(driver.fill, "cuMemsetD8Async");
  lookup.find(driver.copy_to_host, "cuMemcpyDtoHAsync_v2");
  lookup.find(driver.pointer_attribute, "cuPointerGetAttribute");
  lookup.find(driver.function_parameter, "cuFuncGetParamInfo");
  lookup.find(driver.kernel_parameter, "cuKernelGetParamInfo");
  lookup.find(driver.function_name, "cuFuncGetName");
  lookup.find(driver.kernel_name, "cuKernelGetName");
  lookup.find(driver.function_module, "cuFuncGetModule");
  lookup.find(driver.kernel_library, "cuKernelGetLibrary");
  lookup.find(driver.graph_nodes, "cuGraphGetNodes");
  lookup.find(driver.node_type, "cuGraphNodeGetType");
  lookup.find(driver.kernel_node, "cuGraphKernelNodeGetParams_v2");
  lookup.find(driver.child_graph, "cuGraphChildGraphNodeGetGraph");
  if (lookup.missing != nullptr)
    return failure("the CUDA driver is too old: it lacks {}", lookup.missing);
  return driver;
}

Result<void> check(const Driver& driver, CUresult status, const char* call) {
  if (status == CUDA_SUCCESS) return {};
  const char* name = nullptr;
  if (driver.get_error_name(status, &name) != CUDA_SUCCESS || name == nullptr) name = "unknown";
  return failure("{}: {}", call, name);
}

}  // namespace tunecheck::gpu
