// HIP's runtime, with the machine's memory as the device's: a second implementation of what the
// probe for HIP needs, so that the probe can be tested where there is no GPU. It loads code objects
// whose kernels it knows by their names, launches at once, and keeps the calling thread's last
// error as HIP 6 does. Compiled with TUNECHECK_LACKS_COPIES it has no copies to the host.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shim/code_object.hpp"

namespace {

using tunecheck::shim::Kernel;
using Status = int;

constexpr Status invalid_value = 1;
constexpr Status invalid_image = 200;
constexpr Status invalid_handle = 400;

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

struct Module {
  std::map<std::string, std::unique_ptr<Kernel>> kernels;
};

// A launch that a graph makes, with arguments of its own.
struct Node {
  const Kernel* kernel = nullptr;
  std::vector<std::vector<std::byte>> values;
  std::vector<void*> parameters;
};

struct Graph {
  std::vector<std::unique_ptr<Node>> nodes;
};

struct Stream {
  Graph* captured = nullptr;
};

std::mutex mutex;
std::map<char*, std::size_t> memory;
std::map<const void*, const Kernel*> linked;
thread_local Status last_error = 0;

Status answer(Status status) {
  if (status != 0) last_error = status;
  return status;
}

// 144 bytes as gpu_kernel.h declares them begin with the address of the first element.
float* first_of(const void* tensor) {
  float* first = nullptr;
  std::memcpy(&first, tensor, sizeof first);
  return first;
}

void run(const Kernel& kernel, void* const* parameters) {
  if (kernel.name == "step") *first_of(parameters[0]) += *static_cast<const float*>(parameters[1]);
  if (kernel.name == "plain")
    **static_cast<float* const*>(parameters[1]) +=
        static_cast<float>(*static_cast<const int*>(parameters[0]));
}

Node node_of(const Kernel& kernel, void** parameters, void** extra) {
  Node node;
  node.kernel = &kernel;
  char* buffer = nullptr;
  for (; extra != nullptr && reinterpret_cast<std::uintptr_t>(*extra) != 3; extra += 2)
    if (reinterpret_cast<std::uintptr_t>(*extra) == 1) buffer = static_cast<char*>(extra[1]);
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const auto* const from = static_cast<const std::byte*>(
        buffer != nullptr ? buffer + kernel.parameters[i].offset : parameters[i]);
    node.values.emplace_back(from, from + kernel.parameters[i].size);
  }
  for (std::vector<std::byte>& value : node.values)
    node.parameters.push_back(value.data());
  return node;
}

Status launch(const Kernel* kernel, Stream* stream, void** parameters, void** extra) {
  if (kernel == nullptr) return answer(invalid_handle);
  auto node = std::make_unique<Node>(node_of(*kernel, parameters, extra));
  if (stream != nullptr && stream->captured != nullptr)
    stream->captured->nodes.push_back(std::move(node));
  else
    run(*kernel, node->parameters.data());
  return answer(0);
}

// The object of the one entry for devices in the bundle that hipcc's wrapper points to.
const char* object_in(const void* wrapper) {
  struct Wrapper {
    std::uint32_t magic, version;
    const char* bundle;
  };
  const char* const bundle = static_cast<const Wrapper*>(wrapper)->bundle;
  std::array<std::uint64_t, 4> head{};  // entries; of the first: place, size, length of its name
  std::memcpy(head.data(), bundle + 24, sizeof head);
  std::uint64_t place = 0;
  std::memcpy(&place, bundle + 24 + sizeof head + head[3], sizeof place);
  return bundle + place;
}

}  // namespace

// Exported as C's functions, and visible: the rest is not.
#pragma GCC visibility push(default)
extern "C" {

Status hipInit(unsigned) {
  return 0;
}
Status hipRuntimeGetVersion(int* version) {
  *version = 60'200'000;
  return 0;
}
const char* hipGetErrorName(Status status) {
  return status == invalid_value ? "hipErrorInvalidValue" : "hipErrorUnknown";
}
Status hipPeekAtLastError() {
  return last_error;
}
Status hipGetLastError() {
  return std::exchange(last_error, 0);
}
Status hipCtxGetCurrent(void** context) {
  static char only = 0;
  *context = &only;
  return 0;
}
Status hipCtxGetDevice(int* device) {
  *device = 0;
  return 0;
}
Status hipDeviceGetAttribute(int* value, int, int) {
  *value = 1 << 16;
  return 0;
}
Status hipThreadExchangeStreamCaptureMode(int* mode) {
  thread_local int own = 0;
  std::swap(own, *mode);
  return 0;
}

Status hipMalloc(void** address, std::size_t bytes) {
  char* const made = new char[bytes];
  const std::lock_guard lock(mutex);
  memory[made] = bytes;
  *address = made;
  return answer(0);
}
Status hipMemGetAddressRange(void** base, std::size_t* bytes, void* address) {
  const std::lock_guard lock(mutex);
  auto found = memory.upper_bound(static_cast<char*>(address));
  if (found == memory.begin()) return answer(invalid_value);
  --found;
  if (static_cast<char*>(address) >= found->first + found->second) return answer(invalid_value);
  *base = found->first;
  *bytes = found->second;
  return answer(0);
}
Status hipMemcpyHtoD(void* to, void* from, std::size_t bytes) {
  std::memcpy(to, from, bytes);
  return answer(0);
}
Status hipMemcpyDtoDAsync(void* to, void* from, std::size_t bytes, Stream*) {
  std::memmove(to, from, bytes);
  return answer(0);
}
#ifndef TUNECHECK_LACKS_COPIES
Status hipMemcpyDtoHAsync(void* to, void* from, std::size_t bytes, Stream*) {
  std::memcpy(to, from, bytes);
  return answer(0);
}
#endif
Status hipMemsetD8Async(void* to, unsigned char value, std::size_t count, Stream*) {
  std::memset(to, value, count);
  return answer(0);
}

Status hipModuleLoadData(Module** module, const void* image) {
  auto made = std::make_unique<Module>();
  for (const Kernel& kernel : tunecheck::shim::kernels_in_object(image))
    made->kernels[kernel.name] = std::make_unique<Kernel>(kernel);
  if (made->kernels.empty()) return answer(invalid_image);
  *module = made.release();
  return answer(0);
}
Status hipModuleUnload(Module* module) {
  delete module;
  return answer(0);
}
Status hipModuleGetFunction(const Kernel** function, Module* module, const char* name) {
  const auto found = module->kernels.find(name);
  if (found == module->kernels.end()) return answer(invalid_value);
  *function = found->second.get();
  return answer(0);
}
Status hipModuleLaunchKernel(const Kernel* function, unsigned, unsigned, unsigned, unsigned,
                             unsigned, unsigned, unsigned, Stream* stream, void** parameters,
                             void** extra) {
  return launch(function, stream, parameters, extra);
}
Status hipExtModuleLaunchKernel(const Kernel* function, std::uint32_t, std::uint32_t, std::uint32_t,
                                std::uint32_t, std::uint32_t, std::uint32_t, std::size_t,
                                Stream* stream, void** parameters, void** extra, void*, void*,
                                std::uint32_t) {
  return launch(function, stream, parameters, extra);
}

void** __hipRegisterFatBinary(const void* wrapper) {
  Module* module = nullptr;
  (void)hipModuleLoadData(&module, object_in(wrapper));
  return reinterpret_cast<void**>(module);
}
void __hipRegisterFunction(void** modules, const void* host, char*, const char* name, unsigned,
                           void*, void*, void*, void*, int*) {
  linked[host] = reinterpret_cast<Module*>(modules)->kernels.at(name).get();
}
Status hipLaunchKernel(const void* host, Dimensions, Dimensions, void** parameters, std::size_t,
                       Stream* stream) {
  const auto found = linked.find(host);
  return launch(found != linked.end() ? found->second : nullptr, stream, parameters, nullptr);
}

Status hipStreamCreateWithFlags(Stream** stream, unsigned) {
  *stream = new Stream;
  return answer(0);
}
Status hipStreamSynchronize(Stream*) {
  return answer(0);
}
Status hipStreamIsCapturing(Stream* stream, int* state) {
  *state = stream != nullptr && stream->captured != nullptr ? 1 : 0;
  return answer(0);
}
Status hipEventRecord(void*, Stream*) {
  return answer(0);
}

Status hipStreamBeginCapture(Stream* stream, int) {
  stream->captured = new Graph;
  return answer(0);
}
Status hipStreamEndCapture(Stream* stream, Graph** graph) {
  *graph = std::exchange(stream->captured, nullptr);
  return answer(0);
}
Status hipGraphGetNodes(Graph* graph, Node** nodes, std::size_t* count) {
  if (nodes != nullptr)
    std::transform(graph->nodes.begin(), graph->nodes.end(), nodes,
                   [](const auto& node) { return node.get(); });
  *count = graph->nodes.size();
  return answer(0);
}
Status hipGraphNodeGetType(Node*, int* type) {
  *type = 0;
  return answer(0);
}
Status hipGraphKernelNodeGetParams(Node* node, NodeParameters* parameters) {
  *parameters = {};
  parameters->function = const_cast<Kernel*>(node->kernel);
  parameters->parameters = node->parameters.data();
  return answer(0);
}
Status hipGraphInstantiateWithFlags(Graph** run, Graph* graph, unsigned long long) {
  *run = graph;
  return answer(0);
}
Status hipGraphLaunch(Graph* graph, Stream*) {
  for (const auto& node : graph->nodes)
    run(*node->kernel, node->parameters.data());
  return answer(0);
}

// As in HIP 6: what the caller gets is what dlsym() would find in the runtime itself.
Status hipGetProcAddress(const char* symbol, void** function, int, std::uint64_t, void*) {
  *function = std::string_view(symbol) == "hipModuleLaunchKernel"
                  ? reinterpret_cast<void*>(&hipModuleLaunchKernel)
                  : nullptr;
  return answer(*function != nullptr ? 0 : invalid_value);
}

}  // extern "C"
#pragma GCC visibility pop
