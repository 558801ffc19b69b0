#pragma once
// A device that is only computed: no compiler, no threads, a clock of its own. docs/sim.md.
#include <memory>
#include <mutex>
#include <optional>

#include "backend/backend.hpp"
#include "core/sim_model.hpp"

namespace tunecheck {

namespace sim {
class Device;
}

/// What chance depends on. Two processes with the same numbers see the same device.
struct SimConditions {
  std::uint64_t seed = 1;
  std::uint64_t process = 0;

  /// From TUNECHECK_SIM_SEED and TUNECHECK_SIM_PROCESS, which the judge sets; what is not set, or
  /// no number, stays as above.
  [[nodiscard]] static SimConditions from_environment();
};

/// Runs kernels whose file has a section `sim`: they write what the kernel is said to compute,
/// take no time, and report the virtual time that the section says. A kernel cannot harm the
/// process, so trials need no process of their own.
class SimBackend final : public Backend {
 public:
  explicit SimBackend(SimConditions conditions = {});
  ~SimBackend() override;

  [[nodiscard]] DeviceKind kind() const override { return DeviceKind::sim; }
  [[nodiscard]] bool may_harm_process() const override { return false; }
  /// The only arch is that of the name of the device.
  [[nodiscard]] Result<std::string> resolve_arch(std::string_view requested) const override;
  [[nodiscard]] Result<std::string> toolchain_fingerprint() const override;
  /// The section `sim` is the source.
  [[nodiscard]] Result<KernelSources> sources(const KernelDefinition& kernel) const override;
  [[nodiscard]] std::vector<std::string> environment_variables() const override { return {}; }
  [[nodiscard]] Result<Artifact> compile(const CompileRequest& request) const override;
  [[nodiscard]] Result<std::unique_ptr<Module>> load(const Artifact& artifact) const override;

  /// What a launch of the config takes when nothing disturbs it: what a tuner should go by, and
  /// cannot see. An error where the config never gives a right result.
  [[nodiscard]] Result<double> true_cost_ns(const CompileRequest& request) const;

 private:
  /// The landscape of the latest request: a tuning compiles one after the other.
  struct Known {
    SimModel model;
    Sizes sizes;
    std::vector<std::string> names;
    SimLandscape landscape;
  };
  struct Cost {
    SimLandscape::Point point;  ///< with the ruggedness
    SimDisturbance disturbance;
  };
  Result<Cost> cost_of(const CompileRequest& request) const;

  std::shared_ptr<sim::Device> m_device;
  mutable std::mutex m_mutex;
  mutable std::optional<Known> m_known;  // guarded by m_mutex
};

}  // namespace tunecheck
