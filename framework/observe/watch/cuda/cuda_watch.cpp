// The observer of `tunecheck watch` that the CUDA driver loads into each process of the program
// when that first uses CUDA (CUDA_INJECTION64_PATH). It sees every launch, whatever made the
// kernel, and launches the winner of a tuning again on copies; without its variables it does
// nothing.
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <dlfcn.h>
#include <limits>
#include <mutex>
#include <pthread.h>
#include <span>
#include <string_view>
#include <unistd.h>

#include "core/device_kinds.hpp"
#include "core/files.hpp"
#include "observe/evidence_clock.hpp"
#include "observe/file_digest.hpp"
#include "observe/gpu/cuda/cuda_driver.hpp"
#include "observe/gpu/cuda/functions.hpp"
#include "observe/gpu/cuda/subscribe.hpp"
#include "observe/gpu/cupti_library.hpp"
#include "observe/gpu/effect.hpp"
#include "observe/gpu/image.hpp"
#include "observe/gpu/loaded_code.hpp"
#include "observe/watch/bursts.hpp"
#include "observe/watch/cuda/cuda_launch.hpp"
#include "observe/watch/cuda/cuda_memory.hpp"
#include "observe/watch/cuda/cuda_writes.hpp"
#include "observe/watch/cuda/launch_contexts.hpp"
#include "observe/watch/cuda/silent_allocator.hpp"
#include "observe/watch/program_place.hpp"
#include "observe/watch/settings.hpp"

namespace tunecheck::watch {
namespace {

// Larger ones are those of whole libraries, no tuner's.
constexpr std::size_t largest_read_image = std::size_t{64} << 20;

struct Watch {
  Watch(Settings from_environment, const gpu::CudaFunctions& found)
      : settings(std::move(from_environment)),
        functions(found),
        driver(functions),
        code(driver),
        memory(functions, settings.at_most),
        bursts(
            memory, {.bytes = settings.at_most, .all_kernels_ns = 500'000'000, .sees_writes = true},
            [this](const std::string& line) { tell(settings, line); },
            [](const LaunchSeen& launch, bool wants_place) {
              return program_caller(launch.kernel, launch.owner, wants_place);
            }),
        contexts(functions),
        torch([] {
          // Without its cache, each tensor is an allocation of the driver.
          return std::getenv("PYTORCH_NO_CUDA_MEMORY_CACHING") == nullptr &&
                 comes_from_library("libc10_cuda.so");
        }) {}
  const Settings settings;
  const gpu::CudaFunctions functions;
  gpu::CudaDriver driver;
  std::mutex mutex;  // of `code`, changes of `captures`, `contexts` and what `memory` remembers
  gpu::LoadedCode code;
  std::atomic<int> captures{0};  // that have begun and not ended
  CudaMemory memory;
  Bursts bursts;
  LaunchContexts contexts;
  SilentAllocator torch;
};

// Null where the observer is inert. Never freed: kernels may be launched while the process ends.
Watch* watch = nullptr;

// The driver's calls of the calling thread are the observer's own.
thread_local bool busy = false;
// From here on the driver may be on its way down.
std::atomic<bool> has_ended{false};
class Busy {
 public:
  Busy() : m_errno(errno) { busy = true; }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;
  ~Busy() {
    busy = false;
    errno = m_errno;
  }

 private:
  int m_errno;
};

// Own calls break no capture of another stream while it lives.
class RelaxedCapture {
 public:
  RelaxedCapture() { watch->driver.exchange_capture_mode(m_mode); }
  RelaxedCapture(const RelaxedCapture&) = delete;
  RelaxedCapture& operator=(const RelaxedCapture&) = delete;
  ~RelaxedCapture() { watch->driver.exchange_capture_mode(m_mode); }

 private:
  int m_mode = CU_STREAM_CAPTURE_MODE_RELAXED;
};

template <class Parameters>
const Parameters& parameters(const CUpti_CallbackData& data) {
  return *static_cast<const Parameters*>(data.functionParams);
}

bool begins(const CUpti_CallbackData& data) {
  return data.callbackSite == CUPTI_API_ENTER;
}

bool succeeded(const CUpti_CallbackData& data) {
  return !begins(data) && *static_cast<const CUresult*>(data.functionReturnValue) == CUDA_SUCCESS;
}

void loaded(const void* owner, const gpu::Image& examined) {
  gpu::Code code;
  if (!examined.bytes.empty() && examined.bytes.size() <= largest_read_image) {
    code.module = bytes_digest(examined.bytes);
    code.config = gpu::config_in(examined);
    if (const std::string run = gpu::code_in(examined); !run.empty())
      code.code = bytes_digest(std::as_bytes(std::span(run)));
  }
  const std::lock_guard lock(watch->mutex);
  watch->code.add(owner, std::move(code));
}

void loaded(const void* owner, const void* image) {
  loaded(owner, gpu::examine_image(image));
}

void file_loaded(const void* owner, const char* path) {
  const auto content = read_text_file(path != nullptr ? path : "");
  if (!content) return;
  gpu::Image image = gpu::examine_image(content->c_str());
  image.bytes = std::as_bytes(std::span(*content));
  loaded(owner, image);
}

void see_load(CUpti_CallbackId call, const CUpti_CallbackData& data) {
  if (!succeeded(data)) return;
  switch (call) {
    case CUPTI_DRIVER_TRACE_CBID_cuModuleLoad: {
      const auto& load = parameters<cuModuleLoad_params>(data);
      return file_loaded(*load.module, load.fname);
    }
    case CUPTI_DRIVER_TRACE_CBID_cuLibraryLoadFromFile: {
      const auto& load = parameters<cuLibraryLoadFromFile_params>(data);
      return file_loaded(*load.library, load.fileName);
    }
    case CUPTI_DRIVER_TRACE_CBID_cuModuleLoadData: {
      const auto& load = parameters<cuModuleLoadData_params>(data);
      return loaded(*load.module, load.image);
    }
    case CUPTI_DRIVER_TRACE_CBID_cuModuleLoadDataEx: {
      const auto& load = parameters<cuModuleLoadDataEx_params>(data);
      return loaded(*load.module, load.image);
    }
    case CUPTI_DRIVER_TRACE_CBID_cuModuleLoadFatBinary: {
      const auto& load = parameters<cuModuleLoadFatBinary_params>(data);
      return loaded(*load.module, load.fatCubin);
    }
    default: {
      const auto& load = parameters<cuLibraryLoadData_params>(data);
      return loaded(*load.library, load.code);
    }
  }
}

void see_function(CUpti_CallbackId call, const CUpti_CallbackData& data) {
  if (!succeeded(data)) return;
  const std::lock_guard lock(watch->mutex);
  switch (call) {
    case CUPTI_DRIVER_TRACE_CBID_cuModuleGetFunction: {
      const auto& get = parameters<cuModuleGetFunction_params>(data);
      return watch->code.add_function(*get.hfunc, get.hmod, false,
                                      get.name != nullptr ? get.name : "");
    }
    case CUPTI_DRIVER_TRACE_CBID_cuLibraryGetKernel: {
      const auto& get = parameters<cuLibraryGetKernel_params>(data);
      return watch->code.add_function(*get.pKernel, get.library, true,
                                      get.name != nullptr ? get.name : "");
    }
    case CUPTI_DRIVER_TRACE_CBID_cuKernelGetFunction: {
      const auto& get = parameters<cuKernelGetFunction_params>(data);
      return watch->code.add_function(*get.pFunc, get.kernel, false);
    }
    default: {
      const auto& get = parameters<cuLibraryGetModule_params>(data);
      return watch->code.add_module(*get.pMod, get.library);
    }
  }
}

// The program unloads code: what bursts still have to launch again, they launch now.
void see_unload(const void* owner, const CUpti_CallbackData& data) {
  if (begins(data)) {
    if (watch->captures > 0) return;
    const RelaxedCapture relaxed;
    return watch->bursts.code_goes(owner);
  }
  const std::lock_guard lock(watch->mutex);
  watch->code.forget(owner);
}

template <class Parameters>
CudaConfiguration configuration_of(const Parameters& launch) {
  CudaConfiguration configuration;
  CUlaunchConfig& config = configuration.config;
  config.gridDimX = launch.gridDimX;
  config.gridDimY = launch.gridDimY;
  config.gridDimZ = launch.gridDimZ;
  config.blockDimX = launch.blockDimX;
  config.blockDimY = launch.blockDimY;
  config.blockDimZ = launch.blockDimZ;
  config.sharedMemBytes = launch.sharedMemBytes;
  return configuration;
}

void tell_of_silence(std::int64_t now_ns) {
  if (watch->settings.at_most > 0 && watch->torch.is_to_be_told(now_ns))
    tell(watch->settings,
         to_line(TroubleEvent{
             ::getpid(),
             "this PyTorch does not tell which memory of a GPU its tensors have: what lies around "
             "them is looked at with them, and less can be judged; with "
             "PYTORCH_CUDA_ALLOC_CONF=backend:cudaMallocAsync the driver tells it"}));
}

// `configuration` makes everything else that there is to know.
template <class Configuration>
void see_launch(const CUpti_CallbackData& data, CUstream stream, CUfunction function,
                const Configuration& configuration, const gpu::Arguments& arguments) {
  if (!begins(data)) return watch->bursts.ends(succeeded(data));
  tell_of_silence(evidence_now_ns());
  LaunchSeen seen;
  const RelaxedCapture relaxed;
  {
    const std::lock_guard lock(watch->mutex);
    watch->contexts.note({data.context, data.contextUid});
    const CudaArguments read = read_cuda_arguments(watch->memory, watch->code, function, arguments);
    if (watch->captures == 0 && watch->bursts.is_counted(read.quick_key, read.regions)) return;
    std::string symbol =
        data.symbolName != nullptr ? data.symbolName : watch->code.name_of(function);
    seen = see_cuda_launch(watch->functions, watch->code, symbol, function, configuration(), read);
    seen.stream = reinterpret_cast<std::uintptr_t>(stream);
    // Nothing may wait for the device while a stream is being captured.
    seen.captured = watch->captures > 0 && watch->driver.capture_of(stream) == gpu::Capture::yes;
    seen.is_hidden = watch->captures > 0;
  }
  watch->memory.set_context(data.contextUid);
  watch->bursts.begins(std::move(seen));
}

void see_configured_launch(const CUpti_CallbackData& data, const cuLaunchKernelEx_params& launch) {
  const auto configuration = [&] {
    CudaConfiguration copy;
    if (launch.config == nullptr) return copy;
    copy.config = *launch.config;
    copy.attributes.assign(launch.config->attrs, launch.config->attrs + launch.config->numAttrs);
    return copy;
  };
  see_launch(data, launch.config != nullptr ? launch.config->hStream : nullptr, launch.f,
             configuration, {launch.kernelParams, launch.extra});
}

void see_cooperative_launch(const CUpti_CallbackData& data,
                            const cuLaunchCooperativeKernel_params& launch) {
  const auto configuration = [&] {
    CudaConfiguration copy = configuration_of(launch);
    CUlaunchAttribute cooperative{};
    cooperative.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    cooperative.value.cooperative = 1;
    copy.attributes.push_back(cooperative);
    return copy;
  };
  see_launch(data, launch.hStream, launch.f, configuration, {launch.kernelParams, nullptr});
}

void see_read(const CUpti_CallbackData& data, std::uint64_t address, std::uint64_t size) {
  if (!begins(data) || watch->captures > 0) return;
  const RelaxedCapture relaxed;
  watch->memory.set_context(data.contextUid);
  watch->bursts.memory_is_read({address, size});
}

void see_free(const CUpti_CallbackData& data, std::uint64_t address) {
  if (!begins(data)) return;
  const RelaxedCapture relaxed;
  Region region;
  {
    const std::lock_guard lock(watch->mutex);
    region = watch->memory.forget_allocation(address);
  }
  if (region.size == 0 || watch->captures > 0) return;
  watch->memory.set_context(data.contextUid);
  watch->bursts.memory_goes(region);
}

// A block that PyTorch's allocator takes back stays as it is until it is handed out again. The
// calling thread need not have a context.
void see_freed_block(const DeviceBlock& block) {
  Region region;
  std::optional<LaunchContext> context;
  {
    const std::lock_guard lock(watch->mutex);
    region = watch->memory.forget_block(block.address);
    if (watch->captures == 0) context = watch->contexts.of_device(block.device);
  }
  if (region.size == 0 || !context || !watch->bursts.is_used(region)) return;
  const CurrentContext current(watch->functions, context->handle);
  if (!current) return;
  const RelaxedCapture relaxed;
  watch->memory.set_context(context->number);
  watch->bursts.memory_goes(region);
}

void see_block(const DeviceBlock& block) noexcept {
  if (busy || has_ended) return;
  const Busy own;
  try {
    if (block.is_freed) return see_freed_block(block);
    watch->torch.note_block();
    const std::lock_guard lock(watch->mutex);
    watch->memory.note_block({block.address, block.bytes}, block.is_exact);
  } catch (...) {
  }
}

void see_write(CUpti_CallbackId call, const CUpti_CallbackData& data) {
  if (!begins(data)) return;
  const CudaWrite write = written_by(call, data);
  if (write.writes == Writes::nothing || watch->captures > 0) return;
  const RelaxedCapture relaxed;
  watch->memory.set_context(data.contextUid);
  if (write.writes == Writes::region)
    watch->bursts.memory_is_written(write.region);
  else
    watch->bursts.all_memory_is_written();
}

// Calls that make memory of a device, at their ends.
bool see_allocation(CUpti_CallbackId call, const CUpti_CallbackData& data) {
  Region made;
  switch (call) {
    case CUPTI_DRIVER_TRACE_CBID_cuMemAlloc_v2: {
      const auto& allocation = parameters<cuMemAlloc_v2_params>(data);
      if (succeeded(data)) made = {*allocation.dptr, allocation.bytesize};
      if (succeeded(data)) watch->torch.note_allocation(evidence_now_ns());
      break;
    }
    case CUPTI_DRIVER_TRACE_CBID_cuMemAllocAsync:
    case CUPTI_DRIVER_TRACE_CBID_cuMemAllocAsync_ptsz: {
      const auto& allocation = parameters<cuMemAllocAsync_params>(data);
      if (succeeded(data)) made = {*allocation.dptr, allocation.bytesize};
      break;
    }
    default: {
      const std::string_view name = data.functionName;
      if (!name.starts_with("cuMem") && !name.starts_with("cuIpcOpen") &&
          !name.starts_with("cuGraphMem") && !name.starts_with("cuMulticast"))
        return false;
      for (const std::string_view other :
           {"cuMemcpy", "cuMemset", "cuMemFree", "cuMemGet", "cuMemPrefetch", "cuMemAdvise"})
        if (name.starts_with(other)) return false;
      if (name == "cuMemCreate" && succeeded(data)) watch->torch.note_allocation(evidence_now_ns());
    }
  }
  if (succeeded(data)) {
    const std::lock_guard lock(watch->mutex);
    watch->memory.note_allocation(made);
  }
  return true;
}

void see_capture(const CUpti_CallbackData& data, int change) {
  if (!succeeded(data)) return;
  const std::lock_guard lock(watch->mutex);
  watch->captures = std::max(0, watch->captures.load() + change);
}

void see(CUpti_CallbackId call, const CUpti_CallbackData& data) {
  switch (call) {
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz: {
      const auto& launch = parameters<cuLaunchKernel_params>(data);
      return see_launch(data, launch.hStream, launch.f, [&] { return configuration_of(launch); },
                        {launch.kernelParams, launch.extra});
    }
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz:
      return see_configured_launch(data, parameters<cuLaunchKernelEx_params>(data));
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz:
      return see_cooperative_launch(data, parameters<cuLaunchCooperativeKernel_params>(data));
    case CUPTI_DRIVER_TRACE_CBID_cuModuleLoad:
    case CUPTI_DRIVER_TRACE_CBID_cuModuleLoadData:
    case CUPTI_DRIVER_TRACE_CBID_cuModuleLoadDataEx:
    case CUPTI_DRIVER_TRACE_CBID_cuModuleLoadFatBinary:
    case CUPTI_DRIVER_TRACE_CBID_cuLibraryLoadData:
    case CUPTI_DRIVER_TRACE_CBID_cuLibraryLoadFromFile:
      return see_load(call, data);
    case CUPTI_DRIVER_TRACE_CBID_cuModuleGetFunction:
    case CUPTI_DRIVER_TRACE_CBID_cuLibraryGetKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuKernelGetFunction:
    case CUPTI_DRIVER_TRACE_CBID_cuLibraryGetModule:
      return see_function(call, data);
    case CUPTI_DRIVER_TRACE_CBID_cuModuleUnload:
      return see_unload(parameters<cuModuleUnload_params>(data).hmod, data);
    case CUPTI_DRIVER_TRACE_CBID_cuLibraryUnload:
      return see_unload(parameters<cuLibraryUnload_params>(data).library, data);
    case CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoH_v2:
    case CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoH_v2_ptds: {
      const auto& copy = parameters<cuMemcpyDtoH_v2_params>(data);
      return see_read(data, copy.srcDevice, copy.ByteCount);
    }
    case CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoHAsync_v2:
    case CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoHAsync_v2_ptsz: {
      const auto& copy = parameters<cuMemcpyDtoHAsync_v2_params>(data);
      return see_read(data, copy.srcDevice, copy.ByteCount);
    }
    case CUPTI_DRIVER_TRACE_CBID_cuMemcpyAsync:
    case CUPTI_DRIVER_TRACE_CBID_cuMemcpyAsync_ptsz: {
      const auto& copy = parameters<cuMemcpyAsync_params>(data);
      see_read(data, copy.src, copy.ByteCount);
      return see_write(call, data);
    }
    case CUPTI_DRIVER_TRACE_CBID_cuMemFree_v2:
      return see_free(data, parameters<cuMemFree_v2_params>(data).dptr);
    case CUPTI_DRIVER_TRACE_CBID_cuMemFreeAsync:
    case CUPTI_DRIVER_TRACE_CBID_cuMemFreeAsync_ptsz:
      return see_free(data, parameters<cuMemFreeAsync_params>(data).dptr);
    case CUPTI_DRIVER_TRACE_CBID_cuEventRecord:
    case CUPTI_DRIVER_TRACE_CBID_cuEventRecord_ptsz:
    case CUPTI_DRIVER_TRACE_CBID_cuEventRecordWithFlags:
    case CUPTI_DRIVER_TRACE_CBID_cuEventRecordWithFlags_ptsz:
      if (begins(data)) watch->bursts.clock_was_read();
      return;
    case CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture:
    case CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2:
    case CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2_ptsz:
      return see_capture(data, 1);
    case CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture:
    case CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture_ptsz:
      return see_capture(data, -1);
    default:
      if (!see_allocation(call, data)) see_write(call, data);
  }
}

// The clock reads of the calling thread, as the observer counts them that stands in for functions
// of the C library. Those of the driver and of this observer do not count.
class ClockReads {
 public:
  void call_begins() {
    if (now() != last) watch->bursts.clock_was_read();
  }
  void call_ends() { last = now(); }

 private:
  static std::uint64_t now() {
    static const auto count =
        reinterpret_cast<CountClockReads>(::dlsym(RTLD_DEFAULT, clock_reads_function));
    return count != nullptr ? count() : 0;
  }
  static thread_local std::uint64_t last;
};
thread_local std::uint64_t ClockReads::last = 0;

void CUPTIAPI on_call(void*, CUpti_CallbackDomain domain, CUpti_CallbackId call, const void* data) {
  if (domain != CUPTI_CB_DOMAIN_DRIVER_API || busy || has_ended) return;
  const Busy own;
  const auto& seen = *static_cast<const CUpti_CallbackData*>(data);
  ClockReads reads;
  if (begins(seen)) reads.call_begins();
  try {
    see(call, seen);
  } catch (...) {
  }
  reads.call_ends();
}

// Before the driver's own handlers, which were registered earlier: then nothing can be launched any
// more.
void end_of_process() noexcept {
  if (watch == nullptr || busy || has_ended.exchange(true)) return;
  const Busy own;
  try {
    tell_of_silence(std::numeric_limits<std::int64_t>::max());
    watch->bursts.finish();
  } catch (...) {
  }
}

// The child may free what PyTorch had handed out before, so it needs both locks. In the order in
// which a launch takes them.
void before_fork() {
  watch->mutex.lock();
  watch->bursts.before_fork();
}
void after_fork_in_parent() {
  watch->bursts.after_fork_in_parent();
  watch->mutex.unlock();
}
void after_fork_in_child() {
  const Busy own;  // copies that are given back would ask for the locks
  watch->bursts.after_fork_in_child();
  watch->mutex.unlock();
}

Result<void> start(const Settings& settings) {
  TUNECHECK_TRY(const gpu::CudaFunctions found, gpu::find_functions());
  TUNECHECK_TRY(void* const cupti, gpu::open_cupti());
  watch = new Watch(settings, found);
  ProcessEvent event;
  event.pid = ::getpid();
  event.parent = ::getppid();
  event.program = program_of_process();
  event.device = name_of(DeviceKind::cuda);
  event.rank = rank_of_process();
  event.time_ns = evidence_now_ns();
  tell(settings, to_line(event));
  ::pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
  std::atexit(end_of_process);
  if (const auto at_exit =
          reinterpret_cast<void (*)(AtExit)>(::dlsym(RTLD_DEFAULT, at_exit_function)))
    at_exit(end_of_process);
  if (const auto observe =
          reinterpret_cast<ObserveBlocks>(::dlsym(RTLD_DEFAULT, device_blocks_function)))
    observe(see_block);
  return gpu::subscribe_to_driver(cupti, on_call);
}

}  // namespace
}  // namespace tunecheck::watch

/// The driver calls this at its own start; 1 is success.
extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  using namespace tunecheck;
  const int saved = errno;
  try {
    const auto settings = watch::read_settings();
    if (settings && watch::watch == nullptr)
      if (const auto started = watch::start(*settings); !started)
        watch::tell(*settings,
                    watch::to_line(watch::TroubleEvent{
                        ::getpid(), "launches on a GPU are not seen: " + started.error().text()}));
  } catch (...) {
  }
  errno = saved;
  return 1;
}
