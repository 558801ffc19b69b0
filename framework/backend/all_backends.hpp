#pragma once
// One of each kind of device.
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
};

}  // namespace tunecheck
