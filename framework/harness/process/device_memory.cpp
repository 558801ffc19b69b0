#include "harness/process/device_memory.hpp"

#include <dlfcn.h>
#include <filesystem>
#include <fstream>

namespace tunecheck {
namespace {

namespace fs = std::filesystem;

// NVIDIA's management library, opened once and kept (docs.nvidia.com/deploy/nvml-api).
class Nvml {
 public:
  static Result<const Nvml*> get() {
    static const Result<Nvml> opened = open();
    if (!opened) return failure(opened.error());
    return &*opened;
  }

  Result<std::int64_t> memory_in_use() const {
    unsigned count = 0;
    if (const int status = m_count(&count); status != 0)
      return failure("NVML counts no devices: status {}", status);
    std::int64_t used = 0;
    for (unsigned i = 0; i < count; ++i) {
      void* device = nullptr;
      Memory memory{};
      int status = m_device(i, &device);
      if (status == 0) status = m_memory(device, &memory);
      if (status != 0)
        return failure("NVML does not say what device {} holds: status {}", i, status);
      used += static_cast<std::int64_t>(memory.used);
    }
    return used;
  }

 private:
  struct Memory {  // nvmlMemory_t, bytes
    unsigned long long total, free, used;
  };

  template <class Function>
  static bool find(void* library, const char* name, Function*& function) {
    function = reinterpret_cast<Function*>(::dlsym(library, name));
    return function != nullptr;
  }

  static Result<Nvml> open() {
    void* const library = ::dlopen("libnvidia-ml.so.1", RTLD_LAZY);
    if (library == nullptr) return failure("there is no libnvidia-ml.so.1");
    Nvml nvml;
    int (*init)() = nullptr;
    if (!find(library, "nvmlInit_v2", init) ||
        !find(library, "nvmlDeviceGetCount_v2", nvml.m_count) ||
        !find(library, "nvmlDeviceGetHandleByIndex_v2", nvml.m_device) ||
        !find(library, "nvmlDeviceGetMemoryInfo", nvml.m_memory))
      return failure("libnvidia-ml.so.1 lacks functions");
    if (const int status = init(); status != 0)
      return failure("NVML does not start: status {}", status);
    return nvml;
  }

  int (*m_count)(unsigned*) = nullptr;
  int (*m_device)(unsigned, void**) = nullptr;
  int (*m_memory)(void*, Memory*) = nullptr;
};

// As AMD's kernel driver says, a file a device.
Result<std::int64_t> memory_of_amd() {
  std::int64_t used = 0;
  bool any = false;
  std::error_code error;
  for (const auto& card : fs::directory_iterator("/sys/class/drm", error)) {
    std::ifstream file(card.path() / "device" / "mem_info_vram_used");
    std::int64_t bytes = 0;
    if (!(file >> bytes)) continue;
    used += bytes;
    any = true;
  }
  if (!any) return failure("no file /sys/class/drm/*/device/mem_info_vram_used");
  return used;
}

}  // namespace

Result<std::int64_t> device_memory_in_use(DeviceKind backend) {
  const auto of_nvidia = []() -> Result<std::int64_t> {
    TUNECHECK_TRY(const Nvml* const nvml, Nvml::get());
    return nvml->memory_in_use();
  };
  if (backend != DeviceKind::hip) return of_nvidia();
  auto used = memory_of_amd();
  if (used) return used;
  // A HIP runtime may have a device of NVIDIA's, as that of the tests has.
  auto other = of_nvidia();
  return other ? other : used;
}

}  // namespace tunecheck
