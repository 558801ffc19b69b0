#pragma once
// The CPU as a device: kernels are C++ sources, artifacts shared objects.
#include "backend/backend.hpp"
#include "backend/cpu/shared_object.hpp"

namespace tunecheck {

/// Kernels are run by the calling thread. The compiler is looked up anew at each use; see
/// Toolchain.
class CpuBackend final : public Backend {
 public:
  /// `compile_time_limit` is for each run of the compiler.
  explicit CpuBackend(std::chrono::milliseconds compile_time_limit = default_compile_time_limit)
      : m_compile_time_limit(compile_time_limit) {}

  [[nodiscard]] DeviceKind kind() const override { return DeviceKind::cpu; }
  [[nodiscard]] Result<std::string> resolve_arch(std::string_view requested) const override;
  [[nodiscard]] Result<std::string> toolchain_fingerprint() const override;
  [[nodiscard]] Result<KernelSources> sources(const KernelDefinition& kernel) const override;
  [[nodiscard]] std::vector<std::string> environment_variables() const override;

  /// The source sees the config's parameters (BLOCK), the element types (Y_TYPE) and
  /// TUNECHECK_CONFIG as macros. Files that options name are relative to the kernel's folder.
  [[nodiscard]] Result<Artifact> compile(const CompileRequest& request) const override;
  [[nodiscard]] Result<std::unique_ptr<Module>> load(const Artifact& artifact) const override;

 private:
  std::chrono::milliseconds m_compile_time_limit;
};

}  // namespace tunecheck
