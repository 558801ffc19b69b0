// HIP's entry points, as far as tunecheck and its probe use them. Compiled with
// TUNECHECK_LACKS_COPIES it lacks one that the probe needs.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <mutex>
#include <unistd.h>
#include <utility>

#include <sys/mman.h>

#include "runtime.hpp"

using namespace tunecheck::host_hip;
using tunecheck::shim::Kernel;

namespace {

using Event = std::chrono::steady_clock::time_point;

struct Dimensions {
  std::uint32_t x, y, z;
};

struct NodeParameters {  // hipKernelNodeParams
  Dimensions block;
  void** extra;
  void* function;
  Dimensions grid;
  void** parameters;
  unsigned shared_bytes;
};

// A file in memory, so that another process can map it, too.
struct Allocation {
  std::size_t bytes;
  int file;  // -1 for memory of the process that it has registered
};

struct IpcHandle {
  std::array<unsigned char, 64> bytes;
};
struct HandleContent {
  int process, file;
  std::size_t bytes;
};

std::mutex mutex;

std::map<char*, Allocation>& memory() {
  static auto& all = *new std::map<char*, Allocation>;
  return all;
}

std::map<const void*, HostFunction*>& linked_functions() {
  static auto& all = *new std::map<const void*, HostFunction*>;
  return all;
}

Status map_file(void** address, int file, std::size_t bytes) {
  void* const at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (at == MAP_FAILED) {
    ::close(file);
    return answer(out_of_memory);
  }
  const std::lock_guard lock(mutex);
  memory()[static_cast<char*>(at)] = {bytes, file};
  *address = at;
  return answer(0);
}

// The object of the one entry for devices in the bundle that hipcc's wrapper points to.
const char* object_in(const void* wrapper) {
  struct Wrapper {
    std::uint32_t magic, version;
    const char* bundle;
  };
  constexpr std::size_t magic = 24;
  const char* const bundle = static_cast<const Wrapper*>(wrapper)->bundle;
  std::array<std::uint64_t, 4> head{};  // entries; of the first: place, size, length of its name
  std::memcpy(head.data(), bundle + magic, sizeof head);
  std::uint64_t place = 0;
  std::memcpy(&place, bundle + magic + sizeof head + head[3], sizeof place);
  return bundle + place;
}

}  // namespace

// The rest of a library that is compiled hidden stays so.
#pragma GCC visibility push(default)
extern "C" {

Status hipInit(unsigned) {
  return 0;
}
Status hipRuntimeGetVersion(int* version) {
  *version = 60'200'000;
  return 0;
}
Status hipGetDeviceCount(int* count) {
  *count = 1;
  return 0;
}
Status hipDeviceGet(int* device, int ordinal) {
  constexpr Status invalid_device = 101;
  *device = 0;
  return answer(ordinal == 0 ? 0 : invalid_device);
}
Status hipDeviceGetName(char* name, int bytes, int) {
  std::snprintf(name, static_cast<std::size_t>(bytes), "processor by way of a shim");
  return 0;
}
Status hipDeviceGetPCIBusId(char*, int, int) {
  return invalid_value;
}
Status hipDeviceGetAttribute(int* value, int attribute, int) {
  struct Known {
    int attribute, value;
  };
  // Bytes of the L2 cache, warp size, multiprocessors, compute capability.
  constexpr Known all[] = {{19, 1 << 18}, {87, 32}, {63, 16}, {23, 9}, {61, 0}};
  for (const Known& known : all)
    if (known.attribute == attribute) {
      *value = known.value;
      return 0;
    }
  return answer(invalid_value);
}
Status hipGetDevicePropertiesR0600(void* properties, int device) {
  constexpr std::size_t bytes = 1472;
  constexpr std::size_t arch_at = 1160;
  auto* const text = static_cast<char*>(properties);
  std::memset(text, 0, bytes);
  std::strcpy(text + arch_at, arch);
  return hipDeviceGetName(text, 256, device);
}
const char* hipGetErrorString(Status) {
  return "an error of the host's";
}
const char* hipGetErrorName(Status) {
  return "hipErrorUnknown";
}
Status hipPeekAtLastError() {
  return last_error();
}
Status hipGetLastError() {
  const Status error = last_error();
  forget_error();
  return error;
}

Status hipDevicePrimaryCtxRetain(void** context, int) {
  static char only = 0;
  *context = &only;
  return 0;
}
Status hipCtxGetCurrent(void** context) {
  return hipDevicePrimaryCtxRetain(context, 0);
}
Status hipCtxSetCurrent(void*) {
  return 0;
}
Status hipCtxGetDevice(int* device) {
  *device = 0;
  return 0;
}
Status hipDeviceSynchronize() {
  return 0;
}
Status hipThreadExchangeStreamCaptureMode(int* mode) {
  thread_local int own = 0;
  std::swap(own, *mode);
  return 0;
}

Status hipMemGetInfo(std::size_t* free_bytes, std::size_t* all_bytes) {
  *free_bytes = *all_bytes = std::size_t{16} << 30;
  return 0;
}
Status hipMalloc(void** address, std::size_t bytes) {
  const int file = ::memfd_create("device", MFD_CLOEXEC);
  if (file < 0 || ::ftruncate(file, static_cast<off_t>(bytes)) != 0) return answer(out_of_memory);
  return map_file(address, file, bytes);
}
Status hipFree(void* address) {
  if (address == nullptr) return 0;
  const std::lock_guard lock(mutex);
  const auto found = memory().find(static_cast<char*>(address));
  if (found == memory().end()) return answer(invalid_value);
  ::munmap(address, found->second.bytes);
  ::close(found->second.file);
  memory().erase(found);
  return answer(0);
}
Status hipMemGetAddressRange(void** base, std::size_t* bytes, void* address) {
  const std::lock_guard lock(mutex);
  auto found = memory().upper_bound(static_cast<char*>(address));
  if (found == memory().begin()) return answer(invalid_value);
  --found;
  if (static_cast<char*>(address) >= found->first + found->second.bytes)
    return answer(invalid_value);
  // AMD's runtime (clr, hip_memory.cpp) does not say where registered memory begins.
  *base = found->second.file < 0 ? nullptr : found->first;
  *bytes = found->second.bytes;
  return answer(0);
}
Status hipHostRegister(void* address, std::size_t bytes, unsigned) {
  const std::lock_guard lock(mutex);
  memory()[static_cast<char*>(address)] = {bytes, -1};
  return answer(0);
}
Status hipIpcGetMemHandle(IpcHandle* handle, void* address) {
  const std::lock_guard lock(mutex);
  const auto found = memory().find(static_cast<char*>(address));
  if (found == memory().end()) return answer(invalid_value);
  const HandleContent content{::getpid(), found->second.file, found->second.bytes};
  std::memcpy(handle->bytes.data(), &content, sizeof content);
  return answer(0);
}
Status hipIpcOpenMemHandle(void** address, IpcHandle handle, unsigned flags) {
  HandleContent content{};
  std::memcpy(&content, handle.bytes.data(), sizeof content);
  const std::string path =
      "/proc/" + std::to_string(content.process) + "/fd/" + std::to_string(content.file);
  const int file = flags == 1 ? ::open(path.c_str(), O_RDWR | O_CLOEXEC) : -1;
  return file < 0 ? answer(invalid_value) : map_file(address, file, content.bytes);
}
Status hipIpcCloseMemHandle(void* address) {
  return hipFree(address);
}

Status hipMemcpyHtoD(void* to, void* from, std::size_t bytes) {
  std::memcpy(to, from, bytes);
  return answer(0);
}
Status hipMemcpyDtoH(void* to, void* from, std::size_t bytes) {
  std::memcpy(to, from, bytes);
  return answer(0);
}
Status hipMemcpyDtoDAsync(void* to, void* from, std::size_t bytes, Stream* stream) {
  return enqueue(stream, [=] { std::memmove(to, from, bytes); });
}
#ifndef TUNECHECK_LACKS_COPIES
Status hipMemcpyDtoHAsync(void* to, void* from, std::size_t bytes, Stream* stream) {
  return enqueue(stream, [=] { std::memcpy(to, from, bytes); });
}
#endif
Status hipMemsetD8Async(void* to, unsigned char value, std::size_t count, Stream* stream) {
  return enqueue(stream, [=] { std::memset(to, value, count); });
}
Status hipMemsetD16Async(void* to, unsigned short value, std::size_t count, Stream* stream) {
  return enqueue(stream, [=] { std::fill_n(static_cast<unsigned short*>(to), count, value); });
}
Status hipMemsetD32Async(void* to, int value, std::size_t count, Stream* stream) {
  return enqueue(stream, [=] { std::fill_n(static_cast<int*>(to), count, value); });
}

Status hipModuleLoadData(Module** module, const void* image) {
  auto loaded = load_module(image);
  if (loaded == nullptr) return answer(invalid_image);
  *module = loaded.release();
  return answer(0);
}
Status hipModuleLoad(Module** module, const char* path) {
  std::ifstream file(path, std::ios::binary);
  const std::string image(std::istreambuf_iterator<char>(file), {});
  return file ? hipModuleLoadData(module, image.c_str()) : answer(file_not_found);
}
Status hipModuleUnload(Module* module) {
  delete module;  // its code stays, as does its file
  return answer(0);
}
Status hipModuleGetFunction(HostFunction** function, Module* module, const char* name) {
  const auto found = module->functions.find(name);
  if (found == module->functions.end()) return answer(not_found);
  *function = found->second.get();
  return answer(0);
}
Status hipModuleLaunchKernel(HostFunction* function, unsigned grid_x, unsigned grid_y,
                             unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,
                             unsigned, Stream* stream, void** parameters, void** extra) {
  return launch(function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, stream, parameters,
                extra);
}
// Its grid is counted in threads.
Status hipExtModuleLaunchKernel(HostFunction* function, std::uint32_t all_x, std::uint32_t all_y,
                                std::uint32_t all_z, std::uint32_t block_x, std::uint32_t block_y,
                                std::uint32_t block_z, std::size_t, Stream* stream,
                                void** parameters, void** extra, void*, void*, std::uint32_t) {
  return launch(function, {all_x / block_x, all_y / block_y, all_z / block_z},
                {block_x, block_y, block_z}, stream, parameters, extra);
}

void** __hipRegisterFatBinary(const void* wrapper) {
  return reinterpret_cast<void**>(load_module(object_in(wrapper)).release());
}
void __hipRegisterFunction(void** modules, const void* host, char*, const char* name, unsigned,
                           void*, void*, void*, void*, int*) {
  linked_functions()[host] = reinterpret_cast<Module*>(modules)->functions.at(name).get();
}
Status hipLaunchKernel(const void* host, Dimensions grid, Dimensions block, void** parameters,
                       std::size_t, Stream* stream) {
  const auto found = linked_functions().find(host);
  return launch(found != linked_functions().end() ? found->second : nullptr,
                {grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, stream, parameters, nullptr);
}

Status hipStreamCreateWithFlags(Stream** stream, unsigned) {
  *stream = new Stream;
  return answer(0);
}
Status hipStreamDestroy(Stream* stream) {
  delete stream;
  return answer(0);
}
Status hipStreamSynchronize(Stream*) {
  return answer(0);
}
Status hipStreamIsCapturing(Stream* stream, int* state) {
  *state = is_capturing(stream) ? 1 : 0;
  return answer(0);
}
Status hipEventCreateWithFlags(Event** event, unsigned) {
  *event = new Event;
  return answer(0);
}
Status hipEventDestroy(Event* event) {
  delete event;
  return answer(0);
}
Status hipEventRecord(Event* event, Stream*) {
  if (event != nullptr) *event = std::chrono::steady_clock::now();
  return answer(0);
}
Status hipEventSynchronize(Event*) {
  return answer(0);
}
Status hipEventElapsedTime(float* milliseconds, Event* start, Event* end) {
  *milliseconds = std::chrono::duration<float, std::milli>(*end - *start).count();
  return answer(0);
}

Status hipStreamBeginCapture(Stream* stream, int) {
  stream->captured = std::make_unique<Graph>();
  return answer(0);
}
Status hipStreamEndCapture(Stream* stream, Graph** graph) {
  *graph = stream->captured.release();
  return answer(*graph != nullptr ? 0 : invalid_value);
}
Status hipGraphInstantiateWithFlags(Graph** run, Graph* graph, unsigned long long) {
  *run = new Graph(*graph);
  return answer(0);
}
Status hipGraphLaunch(Graph* run, Stream*) {
  for (const auto& work : run->nodes)
    work->run();
  return answer(0);
}
Status hipGraphExecDestroy(Graph* run) {
  delete run;
  return answer(0);
}
Status hipGraphDestroy(Graph* graph) {
  delete graph;
  return answer(0);
}
Status hipGraphGetNodes(Graph* graph, Work** nodes, std::size_t* count) {
  if (nodes != nullptr)
    std::transform(graph->nodes.begin(), graph->nodes.end(), nodes,
                   [](const auto& node) { return node.get(); });
  *count = graph->nodes.size();
  return answer(0);
}
Status hipGraphNodeGetType(Work* node, int* type) {
  *type = node->function != nullptr ? 0 : 1;  // a kernel, or a copy
  return answer(0);
}
Status hipGraphKernelNodeGetParams(Work* node, NodeParameters* parameters) {
  *parameters = {};
  parameters->function = node->function;
  parameters->parameters = node->parameters.data();
  return answer(0);
}
Status hipGraphExecKernelNodeSetParams(Graph* run, Work* node, const NodeParameters* parameters) {
  const auto& [block, extra, function, grid, values, shared] = *parameters;
  auto changed = work_of(static_cast<HostFunction*>(function), {grid.x, grid.y, grid.z},
                         {block.x, block.y, block.z}, values, extra);
  const auto own = std::find_if(run->nodes.begin(), run->nodes.end(), [&](const auto& known) {
    return known.get() == node || known->instead_of == node;
  });
  if (changed == nullptr || own == run->nodes.end()) return answer(invalid_value);
  changed->instead_of = node;
  *own = std::move(changed);
  return answer(0);
}
Status hipLaunchHostFunc(Stream* stream, void (*function)(void*), void* data) {
  return enqueue(stream, [=] { function(data); });
}

// As in HIP 6: what the caller gets is what dlsym() would find in the runtime itself.
Status hipGetProcAddress(const char* symbol, void** function, int, std::uint64_t, void*) {
  const bool is_known = std::string_view(symbol) == "hipModuleLaunchKernel";
  *function = is_known ? reinterpret_cast<void*>(&hipModuleLaunchKernel) : nullptr;
  return answer(is_known ? 0 : invalid_value);
}

}  // extern "C"
#pragma GCC visibility pop
