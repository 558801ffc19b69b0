#include "observe/gpu/hip/calls.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "observe/gpu/hip/runtime.hpp"

namespace tunecheck::gpu::hip {
namespace {

// A name as an argument of a template.
template <std::size_t size>
struct Name {
  constexpr Name(const char (&text)[size]) { std::copy(text, text + size, letters); }
  [[nodiscard]] constexpr std::string_view text() const { return {letters, size - 1}; }
  char letters[size] = {};
};

// The runtime's own function of a name. Set before its stand-in is known to anybody.
template <Name name, class Signature>
Signature* real = nullptr;

// What the probe calls must leave no error behind for the process to find.
class QuietCalls {
 public:
  explicit QuietCalls(const Functions& functions) : m_functions(functions) {
    if (m_functions.peek_error != nullptr) m_was_clear = m_functions.peek_error() == 0;
  }
  QuietCalls(const QuietCalls&) = delete;
  QuietCalls& operator=(const QuietCalls&) = delete;
  ~QuietCalls() {
    if (m_was_clear && m_functions.peek_error() != 0 && m_functions.take_error != nullptr)
      (void)m_functions.take_error();
  }

 private:
  const Functions& m_functions;
  bool m_was_clear = false;
};

template <class Tell>
void tell(Tell&& act) {
  Runtime* const told = runtime();
  if (told == nullptr) return;
  const QuietCalls quiet(told->functions);
  act(*told);
}

Place place_of(const Runtime& on, Stream stream, bool per_thread = false) {
  if (stream == nullptr && per_thread) stream = reinterpret_cast<Stream>(per_thread_stream);
  return {on.driver.current_context(), stream};
}

enum class Streams { legacy, per_thread };  // what no stream means

// ---- Kernels that a program was linked with: their images are known when they are launched.

struct Linked {
  void** modules = nullptr;
  std::string name;
};

std::mutex linked_mutex;

std::map<void**, const void*>& linked_images() {
  static auto& all = *new std::map<void**, const void*>;
  return all;
}

std::map<const void*, Linked>& linked_functions() {
  static auto& all = *new std::map<const void*, Linked>;
  return all;
}

void** register_image(const void* image) {
  void** const modules = real<"__hipRegisterFatBinary", void**(const void*)>(image);
  const std::lock_guard lock(linked_mutex);
  linked_images()[modules] = image;
  return modules;
}

void register_function(void** modules, const void* host, char* device, const char* name,
                       unsigned threads, void* thread, void* block, void* block_size,
                       void* grid_size, int* warp_size) {
  {
    const std::lock_guard lock(linked_mutex);
    linked_functions()[host] = {modules, name != nullptr ? name : ""};
  }
  real<"__hipRegisterFunction",
       void(void**, const void*, char*, const char*, unsigned, void*, void*, void*, void*, int*)>(
      modules, host, device, name, threads, thread, block, block_size, grid_size, warp_size);
}

// Tells of the load of a function that is about to be launched for the first time.
void tell_of_linked(Recorder& recorder, const void* function) {
  const std::lock_guard lock(linked_mutex);
  const auto linked = linked_functions().find(function);
  if (linked == linked_functions().end()) return;
  const auto image = linked_images().find(linked->second.modules);
  if (image != linked_images().end()) {
    recorder.image_loaded(image->first, image->second, 0);
    linked_images().erase(image);
  }
  recorder.function_found(function, linked->second.modules, false, linked->second.name.c_str());
  linked_functions().erase(linked);
}

// ---- Launches

template <Streams streams = Streams::legacy, class Call>
Status launched(Stream stream, const void* function, const Arguments& arguments, Call&& call) {
  tell([&](Runtime& told) {
    tell_of_linked(told.recorder, function);
    told.recorder.launch_begins(place_of(told, stream, streams == Streams::per_thread), nullptr,
                                function, arguments);
  });
  const Status status = call();
  tell([&](Runtime& told) { told.recorder.launch_ends(status); });
  return status;
}

template <Name name>
Status launch_function(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                       unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                       Stream stream, void** parameters, void** extra) {
  return launched(stream, function, {parameters, extra}, [&] {
    return real<name, decltype(launch_function<name>)>(function, grid_x, grid_y, grid_z, block_x,
                                                       block_y, block_z, shared, stream, parameters,
                                                       extra);
  });
}

template <Name name>
Status launch_cooperatively(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                            unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                            Stream stream, void** parameters) {
  return launched(stream, function, {parameters, nullptr}, [&] {
    return real<name, decltype(launch_cooperatively<name>)>(
        function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, stream, parameters);
  });
}

// hipExtModuleLaunchKernel; with another list at its end it is hipHccModuleLaunchKernel.
template <Name name, class... Flags>
Status launch_function_ext(void* function, std::uint32_t all_x, std::uint32_t all_y,
                           std::uint32_t all_z, std::uint32_t block_x, std::uint32_t block_y,
                           std::uint32_t block_z, std::size_t shared, Stream stream,
                           void** parameters, void** extra, void* start, void* stop,
                           Flags... flags) {
  return launched(stream, function, {parameters, extra}, [&] {
    return real<name, decltype(launch_function_ext<name, Flags...>)>(
        function, all_x, all_y, all_z, block_x, block_y, block_z, shared, stream, parameters, extra,
        start, stop, flags...);
  });
}

template <Name name, Streams streams, class Shared, class... More>
Status launch_linked(const void* function, Dimensions grid, Dimensions block, void** parameters,
                     Shared shared, Stream stream, More... more) {
  return launched<streams>(stream, function, {parameters, nullptr}, [&] {
    return real<name, decltype(launch_linked<name, streams, Shared, More...>)>(
        function, grid, block, parameters, shared, stream, more...);
  });
}

template <Name name>
Status launch_configured(const LaunchConfig* config, void* function, void** parameters,
                         void** extra) {
  return launched(config != nullptr ? config->stream : nullptr, function, {parameters, extra}, [&] {
    return real<name, decltype(launch_configured<name>)>(config, function, parameters, extra);
  });
}

template <Name name>
Status launch_linked_configured(const LinkedLaunchConfig* config, const void* function,
                                void** parameters) {
  return launched(
      config != nullptr ? config->stream : nullptr, function, {parameters, nullptr}, [&] {
        return real<name, decltype(launch_linked_configured<name>)>(config, function, parameters);
      });
}

// ---- Events, graphs, streams

template <Name name, Streams streams, class... Flags>
Status record_event(void* event, Stream stream, Flags... flags) {
  tell([&](Runtime& told) {
    told.recorder.event_begins(place_of(told, stream, streams == Streams::per_thread));
  });
  const Status status =
      real<name, decltype(record_event<name, streams, Flags...>)>(event, stream, flags...);
  tell([&](Runtime& told) { told.recorder.event_ends(); });
  return status;
}

template <Name name, Streams streams>
Status launch_graph(void* executable, Stream stream) {
  tell([&](Runtime& told) {
    told.recorder.graph_launch_begins(place_of(told, stream, streams == Streams::per_thread),
                                      executable);
  });
  const Status status = real<name, decltype(launch_graph<name, streams>)>(executable, stream);
  tell([&](Runtime& told) { told.recorder.graph_launch_ends(status); });
  return status;
}

void tell_of_other_work() {
  tell([](Runtime& told) { told.recorder.other_work_begins(); });
}

template <Name name, class... More>
Status instantiate_graph(void** executable, void* graph, More... more) {
  tell_of_other_work();
  const Status status =
      real<name, decltype(instantiate_graph<name, More...>)>(executable, graph, more...);
  if (status == 0)
    tell([&](Runtime& told) { told.recorder.graph_instantiated(*executable, graph); });
  return status;
}

template <Name name>
Status update_graph(void* executable, void* graph, void** node, int* result) {
  tell_of_other_work();
  const Status status = real<name, decltype(update_graph<name>)>(executable, graph, node, result);
  if (status == 0)
    tell([&](Runtime& told) { told.recorder.graph_instantiated(executable, graph); });
  return status;
}

template <Name name>
Status change_node(void* executable, void* node, const KernelNodeParameters* parameters) {
  tell_of_other_work();
  const Status status = real<name, decltype(change_node<name>)>(executable, node, parameters);
  if (status == 0)
    tell([&](Runtime& told) {
      told.recorder.graph_node_changed(executable, HipDriver::node_of(node, *parameters));
    });
  return status;
}

template <Name name>
Status destroy_graph(void* executable) {
  const Status status = real<name, decltype(destroy_graph<name>)>(executable);
  if (status == 0) tell([&](Runtime& told) { told.recorder.graph_destroyed(executable); });
  return status;
}

template <Name name>
Status destroy_stream(Stream stream) {
  tell([&](Runtime& told) { told.recorder.stream_destroyed(place_of(told, stream)); });
  return real<name, decltype(destroy_stream<name>)>(stream);
}

// ---- Code

template <Name name, class... More>
Status load_image(void** module, const void* image, More... more) {
  tell_of_other_work();
  const Status status = real<name, decltype(load_image<name, More...>)>(module, image, more...);
  tell([&](Runtime& told) {
    told.recorder.image_loaded(status == 0 ? *module : nullptr, image, status);
  });
  return status;
}

template <Name name>
Status load_file(void** module, const char* path) {
  tell_of_other_work();
  const Status status = real<name, decltype(load_file<name>)>(module, path);
  tell([&](Runtime& told) {
    told.recorder.file_loaded(status == 0 ? *module : nullptr, path, status);
  });
  return status;
}

template <Name name>
Status unload(void* module) {
  tell_of_other_work();
  const Status status = real<name, decltype(unload<name>)>(module);
  if (status == 0) tell([&](Runtime& told) { told.recorder.code_unloaded(module); });
  return status;
}

template <Name name>
Status find_function(void** function, void* module, const char* symbol) {
  const Status status = real<name, decltype(find_function<name>)>(function, module, symbol);
  if (status == 0)
    tell([&](Runtime& told) { told.recorder.function_found(*function, module, false, symbol); });
  return status;
}

// A function that is asked for by its name.
template <Name name>
Status find_entry(const char* symbol, void** entry, int version, std::uint64_t flags,
                  void* result) {
  const Status status =
      real<name, decltype(find_entry<name>)>(symbol, entry, version, flags, result);
  if (status == 0 && symbol != nullptr && entry != nullptr && *entry != nullptr)
    if (void* const stand_in = stand_in_for(symbol, *entry)) *entry = stand_in;
  return status;
}

// ---- Everything else that can enqueue work, change memory or wait

template <Name name, class... Parameters>
Status other_work(Parameters... parameters) {
  tell_of_other_work();
  return real<name, decltype(other_work<name, Parameters...>)>(parameters...);
}

template <Name name, class... Parameters>
Status wait(Parameters... parameters) {
  tell([](Runtime& told) { told.recorder.wait_begins(); });
  return real<name, decltype(wait<name, Parameters...>)>(parameters...);
}

// ---- The table

struct StandIn {
  void* function;
  void** real;
};

using StandIns = std::map<std::string_view, StandIn>;

template <Name name, class Signature>
void add(StandIns& all, Signature* function) {
  all[name.text()] = {reinterpret_cast<void*>(function),
                      reinterpret_cast<void**>(&real<name, Signature>)};
}

template <Name name, class... Parameters>
void add_work(StandIns& all) {
  add<name>(all, other_work<name, Parameters...>);
}

template <Name name, class... Parameters>
void add_wait(StandIns& all) {
  add<name>(all, wait<name, Parameters...>);
}

void add_launches(StandIns& all) {
  using enum Streams;
  using Size = std::size_t;
  add<"hipModuleLaunchKernel">(all, launch_function<"hipModuleLaunchKernel">);
  add<"hipModuleLaunchCooperativeKernel">(all,
                                          launch_cooperatively<"hipModuleLaunchCooperativeKernel">);
  add<"hipDrvLaunchKernelEx">(all, launch_configured<"hipDrvLaunchKernelEx">);
  add<"hipLaunchKernelExC">(all, launch_linked_configured<"hipLaunchKernelExC">);
  add<"hipLaunchKernel">(all, launch_linked<"hipLaunchKernel", legacy, Size>);
  add<"hipLaunchKernel_spt">(all, launch_linked<"hipLaunchKernel_spt", per_thread, Size>);
  add<"hipLaunchCooperativeKernel">(all,
                                    launch_linked<"hipLaunchCooperativeKernel", legacy, unsigned>);
  add<"hipLaunchCooperativeKernel_spt">(
      all, launch_linked<"hipLaunchCooperativeKernel_spt", per_thread, unsigned>);
  add<"hipExtLaunchKernel">(all,
                            launch_linked<"hipExtLaunchKernel", legacy, Size, void*, void*, int>);
  add<"hipExtModuleLaunchKernel">(all,
                                  launch_function_ext<"hipExtModuleLaunchKernel", std::uint32_t>);
  // Some versions of HIP export these two as functions of C++.
  constexpr char ext[] =
      "_Z24hipExtModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_"
      "P11ihipEvent_tS6_j";
  constexpr char hcc[] =
      "_Z24hipHccModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_"
      "P11ihipEvent_tS6_";
  add<ext>(all, launch_function_ext<ext, std::uint32_t>);
  add<hcc>(all, launch_function_ext<hcc>);
  add<"hipHccModuleLaunchKernel">(all, launch_function_ext<"hipHccModuleLaunchKernel">);
}

void add_code(StandIns& all) {
  add<"hipModuleLoad">(all, load_file<"hipModuleLoad">);
  add<"hipModuleLoadData">(all, load_image<"hipModuleLoadData">);
  add<"hipModuleLoadDataEx">(all, load_image<"hipModuleLoadDataEx", unsigned, int*, void**>);
  add<"hipModuleLoadFatBinary">(all, load_image<"hipModuleLoadFatBinary">);
  add<"hipModuleUnload">(all, unload<"hipModuleUnload">);
  add<"hipModuleGetFunction">(all, find_function<"hipModuleGetFunction">);
  add<"hipGetProcAddress">(all, find_entry<"hipGetProcAddress">);
  add<"__hipRegisterFatBinary">(all, register_image);
  add<"__hipRegisterFunction">(all, register_function);
}

void add_streams(StandIns& all) {
  using enum Streams;
  add<"hipEventRecord">(all, record_event<"hipEventRecord", legacy>);
  add<"hipEventRecord_spt">(all, record_event<"hipEventRecord_spt", per_thread>);
  add<"hipEventRecordWithFlags">(all, record_event<"hipEventRecordWithFlags", legacy, unsigned>);
  add<"hipGraphLaunch">(all, launch_graph<"hipGraphLaunch", legacy>);
  add<"hipGraphLaunch_spt">(all, launch_graph<"hipGraphLaunch_spt", per_thread>);
  add<"hipGraphInstantiate">(all,
                             instantiate_graph<"hipGraphInstantiate", void**, char*, std::size_t>);
  add<"hipGraphInstantiateWithFlags">(
      all, instantiate_graph<"hipGraphInstantiateWithFlags", unsigned long long>);
  add<"hipGraphInstantiateWithParams">(all,
                                       instantiate_graph<"hipGraphInstantiateWithParams", void*>);
  add<"hipGraphExecUpdate">(all, update_graph<"hipGraphExecUpdate">);
  add<"hipGraphExecKernelNodeSetParams">(all, change_node<"hipGraphExecKernelNodeSetParams">);
  add<"hipGraphExecDestroy">(all, destroy_graph<"hipGraphExecDestroy">);
  add<"hipStreamDestroy">(all, destroy_stream<"hipStreamDestroy">);
  add_wait<"hipStreamSynchronize", Stream>(all);
  add_wait<"hipStreamSynchronize_spt", Stream>(all);
  add_wait<"hipEventSynchronize", void*>(all);
  add_wait<"hipDeviceSynchronize">(all);
  add_wait<"hipCtxSynchronize">(all);
  add_work<"hipStreamWaitEvent", Stream, void*, unsigned>(all);
  add_work<"hipStreamWaitEvent_spt", Stream, void*, unsigned>(all);
  add_work<"hipStreamAddCallback", Stream, void*, void*, unsigned>(all);
  add_work<"hipLaunchHostFunc", Stream, void*, void*>(all);
  add_work<"hipStreamWaitValue32", Stream, void*, std::uint32_t, unsigned, std::uint32_t>(all);
  add_work<"hipStreamWriteValue32", Stream, void*, std::uint32_t, unsigned>(all);
  add_work<"hipStreamWriteValue64", Stream, void*, std::uint64_t, unsigned>(all);
  add_work<"hipStreamBeginCapture", Stream, int>(all);
  add_work<"hipStreamEndCapture", Stream, void**>(all);
}

void add_memory(StandIns& all) {
  using Size = std::size_t;
  using From = const void*;
  add_work<"hipMalloc", void**, Size>(all);
  add_work<"hipMallocAsync", void**, Size, Stream>(all);
  add_work<"hipMallocManaged", void**, Size, unsigned>(all);
  add_work<"hipFree", void*>(all);
  add_work<"hipFreeAsync", void*, Stream>(all);
  add_work<"hipMemcpy", void*, From, Size, int>(all);
  add_work<"hipMemcpy_spt", void*, From, Size, int>(all);
  add_work<"hipMemcpyAsync", void*, From, Size, int, Stream>(all);
  add_work<"hipMemcpyAsync_spt", void*, From, Size, int, Stream>(all);
  add_work<"hipMemcpyWithStream", void*, From, Size, int, Stream>(all);
  add_work<"hipMemcpyDtoD", void*, void*, Size>(all);
  add_work<"hipMemcpyDtoDAsync", void*, void*, Size, Stream>(all);
  add_work<"hipMemcpyHtoD", void*, void*, Size>(all);
  add_work<"hipMemcpyHtoDAsync", void*, void*, Size, Stream>(all);
  add_work<"hipMemcpyDtoH", void*, void*, Size>(all);
  add_work<"hipMemcpyDtoHAsync", void*, void*, Size, Stream>(all);
  add_work<"hipMemcpyPeer", void*, int, From, int, Size>(all);
  add_work<"hipMemcpyPeerAsync", void*, int, From, int, Size, Stream>(all);
  add_work<"hipMemcpy2D", void*, Size, From, Size, Size, Size, int>(all);
  add_work<"hipMemcpy2DAsync", void*, Size, From, Size, Size, Size, int, Stream>(all);
  add_work<"hipMemcpyParam2D", From>(all);
  add_work<"hipMemcpyParam2DAsync", From, Stream>(all);
  add_work<"hipMemcpy3D", From>(all);
  add_work<"hipMemcpy3DAsync", From, Stream>(all);
  add_work<"hipDrvMemcpy3D", From>(all);
  add_work<"hipDrvMemcpy3DAsync", From, Stream>(all);
  add_work<"hipMemcpyToSymbol", From, From, Size, Size, int>(all);
  add_work<"hipMemcpyToSymbolAsync", From, From, Size, Size, int, Stream>(all);
  add_work<"hipMemset", void*, int, Size>(all);
  add_work<"hipMemset_spt", void*, int, Size>(all);
  add_work<"hipMemsetAsync", void*, int, Size, Stream>(all);
  add_work<"hipMemsetD8", void*, unsigned char, Size>(all);
  add_work<"hipMemsetD8Async", void*, unsigned char, Size, Stream>(all);
  add_work<"hipMemsetD16", void*, unsigned short, Size>(all);
  add_work<"hipMemsetD16Async", void*, unsigned short, Size, Stream>(all);
  add_work<"hipMemsetD32", void*, int, Size>(all);
  add_work<"hipMemsetD32Async", void*, int, Size, Stream>(all);
  add_work<"hipMemset2D", void*, Size, int, Size, Size>(all);
  add_work<"hipMemset2DAsync", void*, Size, int, Size, Size, Stream>(all);
}

const StandIns& stand_ins() {
  static const StandIns& all = *[] {
    auto* const made = new StandIns;
    add_launches(*made);
    add_code(*made);
    add_streams(*made);
    add_memory(*made);
    return made;
  }();
  return all;
}

}  // namespace

void* stand_in_for(std::string_view name, void* real_function) noexcept {
  try {
    const auto found = stand_ins().find(name);
    if (found == stand_ins().end()) return nullptr;
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    void*& known = *found->second.real;
    if (known == nullptr) known = real_function;
    // A second runtime's function must not become the first one's.
    return known == real_function ? found->second.function : nullptr;
  } catch (const std::exception&) {
    return nullptr;
  }
}

}  // namespace tunecheck::gpu::hip
