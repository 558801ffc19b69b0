#pragma once
// A backend whose kernels are C++ functions of the test: everything a real one does, in
// microseconds, and kernels can misbehave in any way a test needs.
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "backend/backend.hpp"

namespace tunecheck::test {

class FunctionBackend : public Backend {
 public:
  using Function = std::function<LaunchStatus(const Config&, const LaunchArguments&)>;
  explicit FunctionBackend(Function function) : m_function(std::move(function)) {}

  // What a test may change between calls.
  std::string default_arch = "plain";
  std::string of_device;  // its kind, where the arch leaves something open
  std::optional<std::string> toolchain = "toolchain 1";
  std::vector<std::string> variables;
  std::function<std::optional<std::string>(const Config&)> refuses_to_compile;
  std::function<std::int64_t(const Config&)> elapsed_ns;  // the clock where it is not set

  [[nodiscard]] int compiles() const { return m_compiles; }
  // Launches in this process: trials, which run in processes of their own, are not among them.
  [[nodiscard]] int launches_here() const { return m_launches; }

  [[nodiscard]] DeviceKind kind() const override { return DeviceKind::cpu; }
  [[nodiscard]] Result<std::string> resolve_arch(std::string_view requested) const override;
  [[nodiscard]] std::string device_kind() const override { return of_device; }
  [[nodiscard]] Result<std::string> toolchain_fingerprint() const override;
  // The source, and every file beside it that ends in .h.
  [[nodiscard]] Result<KernelSources> sources(const KernelDefinition& kernel) const override;
  [[nodiscard]] std::vector<std::string> environment_variables() const override {
    return variables;
  }
  [[nodiscard]] Result<Artifact> compile(const CompileRequest& request) const override;
  [[nodiscard]] Result<std::unique_ptr<Module>> load(const Artifact& artifact) const override;

 private:
  class FunctionModule;
  Function m_function;
  mutable std::atomic<int> m_compiles{0};
  mutable std::atomic<int> m_launches{0};
};

}  // namespace tunecheck::test
