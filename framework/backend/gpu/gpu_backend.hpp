#pragma once
// A GPU as a device: kernels are compiled by the runtime compiler of CUDA or HIP.
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "backend/backend.hpp"

namespace tunecheck {
namespace gpu {
class GpuDevice;
}

/// CUDA or HIP. Nothing is opened before it is needed: on a machine without a GPU, a driver or
/// a runtime compiler an object can be made, and what needs one of them is an error that says what
/// is missing. Launches go to the context that is current in the calling thread, else to the
/// primary context of the device.
class GpuBackend final : public Backend {
 public:
  /// The device is that of gpu::GpuDevice::open.
  explicit GpuBackend(DeviceKind kind, std::optional<int> device = std::nullopt);
  ~GpuBackend() override;

  [[nodiscard]] DeviceKind kind() const override { return m_kind; }
  [[nodiscard]] Result<std::string> device_name() const override;
  [[nodiscard]] std::string device_kind() const override;
  /// Archs are sm_90 or gfx90a:sramecc+:xnack- as the device has them; for CUDA also compute_80 for
  /// PTX of an older one, which the driver translates when it loads it, and for HIP one that leaves
  /// features out (gfx90a: code for either setting of them).
  [[nodiscard]] Result<std::string> resolve_arch(std::string_view requested) const override;
  [[nodiscard]] std::string arch_for(const KernelDefinition& kernel,
                                     std::string arch) const override;
  [[nodiscard]] Result<std::string> toolchain_fingerprint() const override;
  [[nodiscard]] Result<KernelSources> sources(const KernelDefinition& kernel) const override;
  [[nodiscard]] std::vector<std::string> environment_variables() const override;
  [[nodiscard]] Result<Artifact> compile(const CompileRequest& request) const override;
  /// Requests that differ in their sizes alone are compiled once.
  [[nodiscard]] std::vector<Result<Artifact>> compile_all(
      std::span<const CompileRequest> requests, int jobs,
      const OnCompiled& done = {}) const override;
  [[nodiscard]] bool compiles_beside_trials() const override { return true; }
  [[nodiscard]] Result<std::unique_ptr<Module>> load(const Artifact& artifact) const override;

  [[nodiscard]] Result<std::unique_ptr<TrialSite>> make_trial_site(
      std::chrono::milliseconds time_limit) const override;
  /// Host memory where there is no device.
  [[nodiscard]] const TensorMemory& memory() const override;
  [[nodiscard]] bool is_capturing(Stream stream) const override;
  [[nodiscard]] std::string describe(LaunchStatus status) const override;
  [[nodiscard]] std::string device_state() const override;

 private:
  [[nodiscard]] Result<const gpu::GpuDevice*> device() const;

  const DeviceKind m_kind;
  const std::optional<int> m_device;
  mutable std::once_flag m_memory_made;
  mutable std::unique_ptr<TensorMemory> m_memory;
  mutable std::mutex m_preparing;
  mutable std::future<void> m_prepared;  // what device_state() will need, since the first trials
};

}  // namespace tunecheck
