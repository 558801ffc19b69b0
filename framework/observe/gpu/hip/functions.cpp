#include "observe/gpu/hip/functions.hpp"

#include <dlfcn.h>

namespace tunecheck::gpu::hip {
namespace {

// The first function that is missing stays in `missing`.
struct Lookup {
  void* library;
  const char* missing = nullptr;

  template <class Function>
  void find(Function*& function, const char* name, bool may_lack = false) {
    function = reinterpret_cast<Function*>(::dlsym(library, name));
    if (function == nullptr && missing == nullptr && !may_lack) missing = name;
  }
};

}  // namespace

Result<Functions> find_functions(void* library) {
  Functions functions;
  Lookup lookup{library};
  lookup.find(functions.error_name, "hipGetErrorName");
  lookup.find(functions.version, "hipRuntimeGetVersion");
  lookup.find(functions.current_context, "hipCtxGetCurrent");
  lookup.find(functions.context_device, "hipCtxGetDevice");
  lookup.find(functions.device_attribute, "hipDeviceGetAttribute");
  lookup.find(functions.exchange_capture_mode, "hipThreadExchangeStreamCaptureMode");
  lookup.find(functions.is_capturing, "hipStreamIsCapturing");
  lookup.find(functions.synchronize, "hipStreamSynchronize");
  lookup.find(functions.allocate, "hipMalloc");
  lookup.find(functions.fill, "hipMemsetD8Async");
  lookup.find(functions.copy_to_host, "hipMemcpyDtoHAsync");
  lookup.find(functions.address_range, "hipMemGetAddressRange");
  constexpr bool may_lack = true;
  lookup.find(functions.peek_error, "hipPeekAtLastError", may_lack);
  lookup.find(functions.take_error, "hipGetLastError", may_lack);
  lookup.find(functions.graph_nodes, "hipGraphGetNodes", may_lack);
  lookup.find(functions.node_type, "hipGraphNodeGetType", may_lack);
  lookup.find(functions.kernel_node, "hipGraphKernelNodeGetParams", may_lack);
  lookup.find(functions.child_graph, "hipGraphChildGraphNodeGetGraph", may_lack);
  if (lookup.missing != nullptr) return failure("HIP's runtime lacks {}", lookup.missing);
  return functions;
}

Result<void> check(const Functions& functions, Status status, const char* call) {
  if (status == 0) return {};
  const char* const name = functions.error_name(status);
  return failure("{}: {}", call, name != nullptr ? name : "unknown");
}

}  // namespace tunecheck::gpu::hip
