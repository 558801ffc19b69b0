#pragma once
// One of each kind of device.
#include <string_view>
#include <vector>

#include "backend/cpu/cpu_backend.hpp"
#include "backend/gpu/gpu_backend.hpp"
#include "backend/sim/sim_backend.hpp"

namespace tunecheck {

/// Nothing is opened or started before it is used. Lives as long as what was made with its members.
struct AllBackends {
  CpuBackend cpu;
  SimBackend sim{SimConditions::from_environment()};
  GpuBackend cuda{"cuda"};
  GpuBackend hip{"hip"};

  /// Those beside the CPU.
  [[nodiscard]] std::vector<const Backend*> others() const { return {&sim, &cuda, &hip}; }

  /// Null for a name that no backend has.
  [[nodiscard]] const Backend* find(std::string_view name) const {
    if (name == cpu.name()) return &cpu;
    for (const Backend* const other : others())
      if (name == other->name()) return other;
    return nullptr;
  }
};

}  // namespace tunecheck
