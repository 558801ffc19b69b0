#include "backend/gpu/device_state.hpp"

#include <array>
#include <cstdint>
#include <dlfcn.h>

namespace tunecheck::gpu {
namespace {

using Device = void*;

// The functions of nvml.h by their own names (docs.nvidia.com/deploy/nvml-api).
struct Management {
  int (*init)() = nullptr;
  int (*by_bus)(const char* bus, Device* device) = nullptr;
  int (*clock)(Device device, int which, unsigned* mhz) = nullptr;
  int (*temperature)(Device device, int sensor, unsigned* celsius) = nullptr;
  int (*throttle_reasons)(Device device, unsigned long long* reasons) = nullptr;

  [[nodiscard]] bool open() {
    void* const library = ::dlopen("libnvidia-ml.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (library == nullptr) return false;
    const auto find = [library](const char* name, auto& function) {
      *reinterpret_cast<void**>(&function) = ::dlsym(library, name);
      return function != nullptr;
    };
    return find("nvmlInit_v2", init) && find("nvmlDeviceGetHandleByPciBusId_v2", by_bus) &&
           find("nvmlDeviceGetClockInfo", clock) && find("nvmlDeviceGetTemperature", temperature) &&
           find("nvmlDeviceGetCurrentClocksThrottleReasons", throttle_reasons) && init() == 0;
  }
};

// Opened once a process; null where it cannot be.
const Management* management_of(const GpuDevice& device) {
  if (device.driver().is_hip()) return nullptr;
  static Management management;
  static const bool is_open = management.open();
  return is_open ? &management : nullptr;
}

std::string throttle_text(unsigned long long reasons) {
  // nvml.h, nvmlClocksThrottleReasons: what is no slowing down but idling or a setting is left out.
  struct Reason {
    unsigned long long bit;
    const char* text;
  };
  constexpr std::array<Reason, 6> known = {{{0x4, "power cap"},
                                            {0x8, "hardware slowdown"},
                                            {0x10, "sync boost"},
                                            {0x20, "temperature"},
                                            {0x40, "hardware temperature"},
                                            {0x80, "power brake"}}};
  std::string text;
  for (const Reason& reason : known)
    if ((reasons & reason.bit) != 0)
      text += std::string(text.empty() ? "throttled by " : ", ") + reason.text;
  return text.empty() ? "not throttled" : text;
}

}  // namespace

void prepare_device_state(const GpuDevice& device) {
  (void)management_of(device);
}

std::string device_state(const GpuDevice& device) {
  const Management* const management = management_of(device);
  Device handle = nullptr;
  if (management == nullptr || device.bus().empty() ||
      management->by_bus(device.bus().c_str(), &handle) != 0)
    return {};
  constexpr int sm_clock = 1;
  constexpr int memory_clock = 2;
  constexpr int of_the_gpu = 0;
  unsigned sm_mhz = 0;
  unsigned memory_mhz = 0;
  unsigned celsius = 0;
  unsigned long long reasons = 0;
  if (management->clock(handle, sm_clock, &sm_mhz) != 0 ||
      management->clock(handle, memory_clock, &memory_mhz) != 0 ||
      management->temperature(handle, of_the_gpu, &celsius) != 0 ||
      management->throttle_reasons(handle, &reasons) != 0)
    return {};
  return fmt::format("SM clock {} MHz, memory clock {} MHz, {} C, {}", sm_mhz, memory_mhz, celsius,
                     throttle_text(reasons));
}

}  // namespace tunecheck::gpu
