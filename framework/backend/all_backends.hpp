#pragma once
// One of each kind of device.
#include <vector>

#include "backend/cpu/cpu_backend.hpp"
#include "backend/gpu/gpu_backend.hpp"
#include "backend/sim/sim_backend.hpp"
#include "core/device_kinds.hpp"

namespace tunecheck {

/// Nothing is opened or started before it is used. Lives as long as what was made with its members.
struct AllBackends {
  CpuBackend cpu;
  SimBackend sim{SimConditions::from_environment()};
  GpuBackend cuda{DeviceKind::cuda};
  GpuBackend hip{DeviceKind::hip};

  /// Those beside the CPU.
  [[nodiscard]] std::vector<const Backend*> others() const { return {&sim, &cuda, &hip}; }

  [[nodiscard]] const Backend& of(DeviceKind kind) const {
    for (const Backend* const other : others())
      if (kind == other->kind()) return *other;
    return cpu;
  }
};

}  // namespace tunecheck
