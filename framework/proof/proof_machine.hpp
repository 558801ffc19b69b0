#pragma once
// What there is to prove kernels on.
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "backend/all_backends.hpp"
#include "backend/gpu/gpu_compiler.hpp"
#include "core/device_kinds.hpp"
#include "harness/kernel/runners.hpp"
#include "proof/prove.hpp"

namespace tunecheck {

/// This machine's devices and compilers, examined once for all kernels of a run. All members may be
/// called by several threads at once.
class ProofMachine {
 public:
  struct Device {
    const Backend* backend = nullptr;
    std::string arch;
    std::unique_ptr<Runners> runners;

    [[nodiscard]] bool is_cpu() const { return backend->kind() == DeviceKind::cpu; }
  };

  /// An error for an arch that the CPU does not have, and for a backend that is asked for by name
  /// and has no device here.
  [[nodiscard]] static Result<std::unique_ptr<ProofMachine>> examine(const ProveOptions& options);

  /// Those that the kernel has a source and this machine a compiler for.
  [[nodiscard]] std::vector<const Device*> devices_for(const KernelDefinition& kernel) const;
  /// Why there is none, in a sentence.
  [[nodiscard]] std::string why_none_for(const KernelDefinition& kernel) const;
  /// The GPU backends that are asked for, and what is said of their compilers.
  [[nodiscard]] const std::map<DeviceKind, GpuCompilerState>& gpu_compilers() const {
    return m_gpu_compilers;
  }
  /// True where what is compiled for the target would run here.
  [[nodiscard]] bool has(const GpuTarget& target) const;

 private:
  Result<void> add(DeviceKind kind, const ProveOptions& options);

  AllBackends m_backends;
  std::vector<Device> m_devices;
  std::map<DeviceKind, std::string> m_no_device;  ///< why, by backend
  std::map<DeviceKind, GpuCompilerState> m_gpu_compilers;
};

}  // namespace tunecheck
