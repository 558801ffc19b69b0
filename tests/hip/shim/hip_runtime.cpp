// HIP's runtime on top of CUDA's driver, as far as tunecheck uses it, so that what tunecheck does
// on HIP can be run on an NVIDIA GPU. Where HIP differs from CUDA, this does as HIP does: numbers
// of attributes, flags, properties, a device that is always current, code objects and no PTX.
#include <array>
#include <cstring>
#include <string_view>
#include <vector>

#include "backend/gpu/driver/driver.hpp"
#include "code_object.hpp"
#include "cuda.hpp"

using namespace tunecheck::gpu;
using tunecheck::shim::cuda;

namespace {

constexpr Status invalid_value = 1;
constexpr Status no_device = 100;
constexpr Status invalid_image = 200;

template <class Call>
Status ask(Call&& call) {
  const DriverFunctions* const functions = cuda();
  return functions != nullptr ? call(*functions) : no_device;
}

// Every thread has a device from its first call on.
Status make_current(const DriverFunctions& f) {
  Context context = nullptr;
  if (const Status status = f.current_context(&context); status != 0 || context != nullptr)
    return status;
  if (const Status status = f.primary_context(&context, 0); status != 0) return status;
  return f.set_current(context);
}

template <class... Parameters, class... Arguments>
Status pass_on(Status (*DriverFunctions::*function)(Parameters...), Arguments... arguments) {
  return ask([&](const DriverFunctions& f) {
    if (const Status status = make_current(f); status != 0) return status;
    return (f.*function)(arguments...);
  });
}

// What hipDeviceProp_t holds where, by the header of that version.
struct Properties {
  std::size_t bytes;
  std::size_t arch;
};

// CUDA_KERNEL_NODE_PARAMS_v2 and hipKernelNodeParams.
struct CudaKernelNode {
  void* function;
  std::array<unsigned, 3> grid, block;
  unsigned shared_bytes;
  void** parameters;
  void** extra;
  void* kernel;
  void* context;
};
struct HipKernelNode {
  std::array<unsigned, 3> block;
  void** extra;
  void* function;
  std::array<unsigned, 3> grid;
  void** parameters;
  unsigned shared_bytes;
};

// Whoever reports the device says that it is none of HIP's.
Status write_name(const DriverFunctions& f, char* name, int bytes, int device) {
  constexpr std::string_view addition = " by way of a shim";
  const Status status = f.device_name(name, bytes - static_cast<int>(addition.size()), device);
  if (status == 0) std::strcat(name, addition.data());
  return status;
}

Status write_properties(const Properties& where, char* properties, int device) {
  return ask([&](const DriverFunctions& f) {
    std::memset(properties, 0, where.bytes);
    if (const Status status = write_name(f, properties, 255, device); status != 0) return status;
    std::strcpy(properties + where.arch, tunecheck::shim::arch);
    return 0;
  });
}

}  // namespace

extern "C" {

Status hipInit(unsigned flags) {
  return ask([&](const DriverFunctions& f) { return f.init(flags); });
}
Status hipRuntimeGetVersion(int* version) {
  *version = TUNECHECK_SHIM_HIP * 10'000'000 + 200'000;
  return 0;
}
Status hipGetDeviceCount(int* count) {
  return ask([&](const DriverFunctions& f) { return f.device_count(count); });
}
Status hipDeviceGet(int* device, int ordinal) {
  return ask([&](const DriverFunctions& f) { return f.device_get(device, ordinal); });
}
Status hipDeviceGetName(char* name, int bytes, int device) {
  return ask([&](const DriverFunctions& f) { return write_name(f, name, bytes, device); });
}
Status hipDeviceGetPCIBusId(char* text, int bytes, int device) {
  return ask([&](const DriverFunctions& f) { return f.device_bus(text, bytes, device); });
}
Status hipDeviceGetAttribute(int* value, int attribute, int device) {
  struct Numbers {
    int hip;
    int cuda;
  };
  constexpr Numbers known[] = {{19, 38}, {87, 10}, {63, 16}, {23, 75}, {61, 76}};
  for (const Numbers& number : known)
    if (attribute == number.hip)
      return ask(
          [&](const DriverFunctions& f) { return f.device_attribute(value, number.cuda, device); });
  return invalid_value;
}
#if TUNECHECK_SHIM_HIP < 6
Status hipGetDeviceProperties(void* properties, int device) {
  return write_properties({792, 396}, static_cast<char*>(properties), device);
}
#else
Status hipGetDevicePropertiesR0600(void* properties, int device) {
  return write_properties({1472, 1160}, static_cast<char*>(properties), device);
}
#endif
const char* hipGetErrorString(Status status) {
  const char* text = nullptr;
  (void)ask([&](const DriverFunctions& f) { return f.cuda_error_text(status, &text); });
  return text != nullptr ? text : "there is no CUDA driver";
}

const char* hipGetErrorName(Status status) {
  using Name = Status(Status, const char**);
  static auto* const name_of = tunecheck::shim::cuda_function<Name>("cuGetErrorName");
  const char* name = nullptr;
  return name_of != nullptr && name_of(status, &name) == 0 ? name : nullptr;
}

Status hipDevicePrimaryCtxRetain(Context* context, int device) {
  return ask([&](const DriverFunctions& f) { return f.primary_context(context, device); });
}
Status hipCtxGetCurrent(Context* context) {
  return pass_on(&DriverFunctions::current_context, context);
}
Status hipCtxSetCurrent(Context context) {
  return ask([&](const DriverFunctions& f) { return f.set_current(context); });
}
Status hipCtxGetDevice(int* device) {
  return pass_on(&DriverFunctions::context_device, device);
}
Status hipDeviceSynchronize() {
  return pass_on(&DriverFunctions::synchronize);
}

Status hipMemGetInfo(std::size_t* free_bytes, std::size_t* all_bytes) {
  return pass_on(&DriverFunctions::memory_info, free_bytes, all_bytes);
}
Status hipMalloc(Address* address, std::size_t bytes) {
  return pass_on(&DriverFunctions::allocate, address, bytes);
}
Status hipFree(Address address) {
  return pass_on(&DriverFunctions::release, address);
}
Status hipMemcpyDtoDAsync(Address to, Address from, std::size_t bytes, StreamHandle stream) {
  return pass_on(&DriverFunctions::copy, to, from, bytes, stream);
}
Status hipMemcpyHtoD(Address to, const void* from, std::size_t bytes) {
  return pass_on(&DriverFunctions::copy_in, to, from, bytes);
}
Status hipMemcpyDtoH(void* to, Address from, std::size_t bytes) {
  return pass_on(&DriverFunctions::copy_out, to, from, bytes);
}
Status hipMemcpyDtoHAsync(void* to, Address from, std::size_t bytes, StreamHandle stream) {
  using Copy = Status(void*, Address, std::size_t, StreamHandle);
  static auto* const copy = tunecheck::shim::cuda_function<Copy>("cuMemcpyDtoHAsync_v2");
  return copy != nullptr ? copy(to, from, bytes, stream) : no_device;
}
Status hipMemsetD8Async(Address to, unsigned char value, std::size_t count, StreamHandle stream) {
  return pass_on(&DriverFunctions::fill8, to, value, count, stream);
}
Status hipMemsetD16Async(Address to, unsigned short value, std::size_t count, StreamHandle stream) {
  return pass_on(&DriverFunctions::fill16, to, value, count, stream);
}
Status hipMemsetD32Async(Address to, int value, std::size_t count, StreamHandle stream) {
  return pass_on(&DriverFunctions::fill32, to, static_cast<unsigned>(value), count, stream);
}
Status hipMemGetAddressRange(Address* base, std::size_t* bytes, Address address) {
  if (const Status status = pass_on(&DriverFunctions::address_range, base, bytes, address);
      status == 0)
    return status;
  // HIP knows memory of another process, too, of which CUDA says this in another way.
  constexpr int range_start = 11;  // CU_POINTER_ATTRIBUTE_RANGE_START_ADDR
  constexpr int range_size = 12;   // CU_POINTER_ATTRIBUTE_RANGE_SIZE
  using Ask = Status(void*, int, Address);
  static auto* const ask_of = tunecheck::shim::cuda_function<Ask>("cuPointerGetAttribute");
  if (ask_of == nullptr) return no_device;
  const Status status = ask_of(base, range_start, address);
  return status == 0 ? ask_of(bytes, range_size, address) : status;
}
Status hipIpcGetMemHandle(IpcHandle* handle, Address address) {
  return pass_on(&DriverFunctions::ipc_export, handle, address);
}
Status hipIpcOpenMemHandle(Address* address, IpcHandle handle, unsigned flags) {
  // hipIpcMemLazyEnablePeerAccess of the version, and no other value.
  constexpr unsigned wanted = TUNECHECK_SHIM_HIP < 6 ? 0 : 1;
  constexpr unsigned cuda_flags = 1;
  if (flags != wanted) return invalid_value;
  return pass_on(&DriverFunctions::ipc_open, address, handle, cuda_flags);
}
Status hipIpcCloseMemHandle(Address address) {
  return pass_on(&DriverFunctions::ipc_close, address);
}

Status hipModuleLoadData(ModuleHandle* module, const void* image) {
  // Code objects of this shim's compiler, and nothing else.
  const auto code = tunecheck::shim::code_in_object(image);
  if (!code) return invalid_image;
  const std::vector<char> aligned(code->begin(), code->end());
  return pass_on(&DriverFunctions::module_load, module, static_cast<const void*>(aligned.data()));
}
Status hipModuleUnload(ModuleHandle module) {
  return pass_on(&DriverFunctions::module_unload, module);
}
Status hipModuleGetFunction(Function* function, ModuleHandle module, const char* name) {
  return pass_on(&DriverFunctions::module_function, function, module, name);
}
Status hipModuleLaunchKernel(Function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                             unsigned threads_x, unsigned threads_y, unsigned threads_z,
                             unsigned shared_bytes, StreamHandle stream, void** parameters,
                             void** extra) {
  return pass_on(&DriverFunctions::launch, function, grid_x, grid_y, grid_z, threads_x, threads_y,
                 threads_z, shared_bytes, stream, parameters, extra);
}

Status hipStreamCreateWithFlags(StreamHandle* stream, unsigned flags) {
  return pass_on(&DriverFunctions::stream_create, stream, flags);
}
Status hipStreamDestroy(StreamHandle stream) {
  return pass_on(&DriverFunctions::stream_destroy, stream);
}
Status hipStreamSynchronize(StreamHandle stream) {
  return pass_on(&DriverFunctions::stream_synchronize, stream);
}
Status hipStreamIsCapturing(StreamHandle stream, int* state) {
  return pass_on(&DriverFunctions::stream_is_capturing, stream, state);
}
Status hipThreadExchangeStreamCaptureMode(int* mode) {
  return pass_on(&DriverFunctions::exchange_capture_mode, mode);
}
Status hipEventCreateWithFlags(Event* event, unsigned flags) {
  return pass_on(&DriverFunctions::event_create, event, flags);
}
Status hipEventDestroy(Event event) {
  return pass_on(&DriverFunctions::event_destroy, event);
}
Status hipEventRecord(Event event, StreamHandle stream) {
  return pass_on(&DriverFunctions::event_record, event, stream);
}
Status hipEventSynchronize(Event event) {
  return pass_on(&DriverFunctions::event_synchronize, event);
}
Status hipEventElapsedTime(float* milliseconds, Event start, Event end) {
  return pass_on(&DriverFunctions::event_elapsed, milliseconds, start, end);
}

Status hipStreamBeginCapture(StreamHandle stream, int mode) {
  return pass_on(&DriverFunctions::capture_begin, stream, mode);
}
Status hipStreamEndCapture(StreamHandle stream, Graph* graph) {
  return pass_on(&DriverFunctions::capture_end, stream, graph);
}
Status hipGraphInstantiateWithFlags(GraphRun* run, Graph graph, unsigned long long flags) {
  return pass_on(&DriverFunctions::graph_instantiate, run, graph, flags);
}
Status hipGraphLaunch(GraphRun run, StreamHandle stream) {
  return pass_on(&DriverFunctions::graph_launch, run, stream);
}
Status hipGraphExecDestroy(GraphRun run) {
  return pass_on(&DriverFunctions::graph_run_destroy, run);
}
Status hipGraphDestroy(Graph graph) {
  return pass_on(&DriverFunctions::graph_destroy, graph);
}
// What a graph holds. HIP numbers the types of nodes from 1 before version 6.
Status hipGraphGetNodes(Graph graph, void** nodes, std::size_t* count) {
  using Get = Status(Graph, void**, std::size_t*);
  static auto* const get = tunecheck::shim::cuda_function<Get>("cuGraphGetNodes");
  return get != nullptr ? get(graph, nodes, count) : no_device;
}
Status hipGraphNodeGetType(void* node, int* type) {
  using Get = Status(void*, int*);
  static auto* const get = tunecheck::shim::cuda_function<Get>("cuGraphNodeGetType");
  const Status status = get != nullptr ? get(node, type) : no_device;
  if (status == 0 && TUNECHECK_SHIM_HIP < 6) ++*type;
  return status;
}
Status hipGraphKernelNodeGetParams(void* node, HipKernelNode* parameters) {
  using Get = Status(void*, CudaKernelNode*);
  static auto* const get = tunecheck::shim::cuda_function<Get>("cuGraphKernelNodeGetParams_v2");
  CudaKernelNode found{};
  const Status status = get != nullptr ? get(node, &found) : no_device;
  if (status == 0)
    *parameters = {found.block, found.extra,      found.function,
                   found.grid,  found.parameters, found.shared_bytes};
  return status;
}
Status hipLaunchHostFunc(StreamHandle stream, void (*function)(void*), void* data) {
  return pass_on(&DriverFunctions::host_function, stream, function, data);
}
Status hipCtxCreate(Context* context, unsigned flags, int device) {
  return pass_on(&DriverFunctions::context_create, context, flags, device);
}

}  // extern "C"
