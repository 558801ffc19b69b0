#include "backend/gpu/driver/driver.hpp"

#include <cstdlib>
#include <dlfcn.h>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "core/libraries/open_library.hpp"

namespace tunecheck::gpu {
namespace {

// The names of a function in the two libraries; "" where one has none.
struct Name {
  const char* cuda;
  const char* hip;
  void** place;
  const char* older = "";  // what it is called in a library that lacks the name
  bool may_lack = false;
};

std::vector<Name> names(DriverFunctions& f) {
  const auto name = [](const char* cuda, const char* hip, auto& function) {
    return Name{cuda, hip, reinterpret_cast<void**>(&function)};
  };
  // What only callers in graphs and in contexts of their own need, some of which HIP 5 lacks; and
  // what has a slower way around it.
  const auto extra = [&](const char* cuda, const char* hip, auto& function) {
    Name wanted = name(cuda, hip, function);
    wanted.may_lack = true;
    return wanted;
  };
  return {
      name("cuInit", "hipInit", f.init),
      name("cuDriverGetVersion", "hipRuntimeGetVersion", f.driver_version),
      name("cuDeviceGetCount", "hipGetDeviceCount", f.device_count),
      name("cuDeviceGet", "hipDeviceGet", f.device_get),
      name("cuDeviceGetName", "hipDeviceGetName", f.device_name),
      name("cuDeviceGetAttribute", "hipDeviceGetAttribute", f.device_attribute),
      name("cuDeviceGetPCIBusId", "hipDeviceGetPCIBusId", f.device_bus),
      name("cuDevicePrimaryCtxRetain", "hipDevicePrimaryCtxRetain", f.primary_context),
      name("cuCtxGetCurrent", "hipCtxGetCurrent", f.current_context),
      name("cuCtxSetCurrent", "hipCtxSetCurrent", f.set_current),
      name("cuCtxGetDevice", "hipCtxGetDevice", f.context_device),
      name("cuCtxSynchronize", "hipDeviceSynchronize", f.synchronize),
      name("cuMemGetInfo_v2", "hipMemGetInfo", f.memory_info),
      name("cuMemAlloc_v2", "hipMalloc", f.allocate),
      name("cuMemFree_v2", "hipFree", f.release),
      name("cuMemcpyDtoDAsync_v2", "hipMemcpyDtoDAsync", f.copy),
      name("cuMemcpyHtoD_v2", "hipMemcpyHtoD", f.copy_in),
      name("cuMemcpyDtoH_v2", "hipMemcpyDtoH", f.copy_out),
      name("cuMemsetD8Async", "hipMemsetD8Async", f.fill8),
      name("cuMemsetD16Async", "hipMemsetD16Async", f.fill16),
      name("cuMemsetD32Async", "hipMemsetD32Async", f.fill32),
      name("cuMemGetAddressRange_v2", "hipMemGetAddressRange", f.address_range),
      name("cuIpcGetMemHandle", "hipIpcGetMemHandle", f.ipc_export),
      name("cuIpcOpenMemHandle_v2", "hipIpcOpenMemHandle", f.ipc_open),
      name("cuIpcCloseMemHandle", "hipIpcCloseMemHandle", f.ipc_close),
      name("cuModuleLoadData", "hipModuleLoadData", f.module_load),
      name("cuModuleUnload", "hipModuleUnload", f.module_unload),
      name("cuModuleGetFunction", "hipModuleGetFunction", f.module_function),
      name("cuFuncSetAttribute", "", f.function_attribute),
      name("cuLaunchKernel", "hipModuleLaunchKernel", f.launch),
      extra("cuLaunchKernelEx", "", f.launch_configured),
      name("cuStreamCreate", "hipStreamCreateWithFlags", f.stream_create),
      name("cuStreamDestroy_v2", "hipStreamDestroy", f.stream_destroy),
      name("cuStreamSynchronize", "hipStreamSynchronize", f.stream_synchronize),
      name("cuStreamIsCapturing", "hipStreamIsCapturing", f.stream_is_capturing),
      name("cuThreadExchangeStreamCaptureMode", "hipThreadExchangeStreamCaptureMode",
           f.exchange_capture_mode),
      extra("cuStreamBeginCapture_v2", "hipStreamBeginCapture", f.capture_begin),
      extra("cuStreamEndCapture", "hipStreamEndCapture", f.capture_end),
      extra("cuGraphInstantiateWithFlags", "hipGraphInstantiateWithFlags", f.graph_instantiate),
      extra("cuGraphLaunch", "hipGraphLaunch", f.graph_launch),
      extra("cuGraphExecDestroy", "hipGraphExecDestroy", f.graph_run_destroy),
      extra("cuGraphDestroy", "hipGraphDestroy", f.graph_destroy),
      extra("cuLaunchHostFunc", "hipLaunchHostFunc", f.host_function),
      extra("cuCtxCreate_v2", "hipCtxCreate", f.context_create),
      name("cuEventCreate", "hipEventCreateWithFlags", f.event_create),
      name("cuEventDestroy_v2", "hipEventDestroy", f.event_destroy),
      name("cuEventRecord", "hipEventRecord", f.event_record),
      name("cuEventSynchronize", "hipEventSynchronize", f.event_synchronize),
      name("cuEventElapsedTime", "hipEventElapsedTime", f.event_elapsed),
      name("cuGetErrorString", "", f.cuda_error_text),
      name("", "hipGetErrorString", f.hip_error_text),
      // Since HIP 6; the older one's symbol fills the older one's structure.
      Name{"", "hipGetDevicePropertiesR0600", reinterpret_cast<void**>(&f.hip_properties),
           "hipGetDeviceProperties"},
  };
}

struct Dialect {
  DeviceKind backend;
  const char* variable;  // names another library
  std::vector<const char*> libraries;
  const char* Name::*symbol;
  DeviceAttributes attributes;
  std::string_view missing;
};

const std::vector<Dialect>& dialects() {
  static const std::vector<Dialect> all = {
      {DeviceKind::cuda,
       "TUNECHECK_CUDA",
       {"libcuda.so.1"},
       &Name::cuda,
       cuda_attributes,
       "there is no CUDA driver here (libcuda.so.1): install NVIDIA's driver"},
      {DeviceKind::hip,
       "TUNECHECK_HIP",
       {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so",
        "/opt/rocm/lib/libamdhip64.so"},
       &Name::hip,
       hip_attributes,
       "there is no HIP runtime here (libamdhip64.so): install ROCm or Debian's libamdhip64-5"},
  };
  return all;
}

}  // namespace

// Opens, looks up, initialises. The handle is never closed: threads of the driver live on.
class DriverLibrary {
 public:
  static Result<std::unique_ptr<const GpuDriver>> open(const Dialect& dialect) {
    TUNECHECK_TRY(void* const library, library_of(dialect));
    DriverFunctions functions{};
    for (const Name& name : names(functions)) {
      const char* const symbol = name.*dialect.symbol;
      if (*symbol == '\0') continue;
      *name.place = ::dlsym(library, symbol);
      if (*name.place == nullptr && *name.older != '\0') *name.place = ::dlsym(library, name.older);
      if (*name.place == nullptr && !name.may_lack)
        return failure(ErrorKind::unsupported, "the {} driver cannot be used: it has no {}",
                       name_of(dialect.backend), symbol);
    }
    auto driver = std::unique_ptr<const GpuDriver>(new GpuDriver(functions, dialect.attributes));
    const Status status = functions.init(0);
    // Of HIP's two, the second one is said where the kernel has no driver, either.
    constexpr Status no_device = 100;
    constexpr Status invalid_device = 101;
    if (status == no_device || (driver->is_hip() && status == invalid_device))
      return failure(ErrorKind::unsupported, "there is no {} device: the driver says {}",
                     name_of(dialect.backend), driver->describe(status));
    TUNECHECK_CHECK(driver->check(status, "the driver cannot be initialised"));
    int devices = 0;
    TUNECHECK_CHECK(driver->check(functions.device_count(&devices), "devices cannot be counted"));
    if (devices == 0)
      return failure(ErrorKind::unsupported, "there is no {} device: the driver finds none",
                     name_of(dialect.backend));
    return driver;
  }

 private:
  static Result<void*> library_of(const Dialect& dialect) {
    if (const char* const named = std::getenv(dialect.variable)) {
      auto library = open_library(named, RTLD_NOW | RTLD_LOCAL);
      if (library) return library;
      return failure(ErrorKind::machine, "{} cannot be opened: {}", dialect.variable,
                     library.error().text());
    }
    for (const char* const name : dialect.libraries)
      if (const auto library = open_library(name, RTLD_NOW | RTLD_LOCAL)) return library;
    return failure(ErrorKind::unsupported, "{}", dialect.missing);
  }
};

Result<const GpuDriver*> GpuDriver::open(DeviceKind backend) {
  // Never destroyed: kernels may be running while the process ends.
  static auto& opened = *new std::map<DeviceKind, Result<const GpuDriver*>>;
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);
  if (const auto found = opened.find(backend); found != opened.end()) return found->second;
  Result<const GpuDriver*> driver =
      failure(ErrorKind::internal, "\"{}\" has no driver", name_of(backend));
  for (const Dialect& dialect : dialects())
    if (dialect.backend == backend)
      driver = DriverLibrary::open(dialect).map(
          [](std::unique_ptr<const GpuDriver> opened_now) { return opened_now.release(); });
  opened.emplace(backend, driver);
  return driver;
}

std::string GpuDriver::version() const {
  const Version version = numbers();
  return fmt::format("{} {}.{}", is_hip() ? "HIP" : "CUDA", version.major, version.minor);
}

GpuDriver::Version GpuDriver::numbers() const {
  int version = 0;
  (void)m_functions.driver_version(&version);
  // CUDA counts 13000 for 13.0; HIP 50200000 and more for 5.2.
  if (!is_hip()) return {version / 1000, version % 1000 / 10};
  return {version / 10'000'000, version / 100'000 % 100};
}

unsigned GpuDriver::ipc_open_flags() const {
  return gpu::ipc_open_flags(is_hip(), numbers().major);
}

std::string GpuDriver::describe(Status status) const {
  const char* text = nullptr;
  if (is_hip())
    text = m_functions.hip_error_text(status);
  else
    (void)m_functions.cuda_error_text(status, &text);
  return fmt::format("status {}{}{}", status, text != nullptr ? ": " : "",
                     text != nullptr ? text : "");
}

Result<void> GpuDriver::check(Status status, std::string_view what) const {
  if (status == 0) return {};
  return failure("{}: {}", what, describe(status));
}

}  // namespace tunecheck::gpu
