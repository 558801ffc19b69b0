#pragma once
// One tuning of a CPU kernel in a process of its own, with artifacts that were compiled before. The
// part of tunecheck-noise-bench that another version of the tuner can be built with: its program is
// then `--against`.
#include <filesystem>
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "core/kernel.hpp"

namespace tunecheck::bench {

inline constexpr const char* tuned_size = "smoke";

// All of these throw std::runtime_error.

/// A kernel of tunecheck's own.
[[nodiscard]] KernelDefinition kernel_named(const std::string& name);

/// Where the artifact of a config lies.
[[nodiscard]] std::filesystem::path artifact_file(const std::filesystem::path& folder,
                                                  const Config& config);

/// Compiles all configs to `folder`, and returns them.
std::vector<Config> compile_once(const KernelDefinition& kernel,
                                 const std::filesystem::path& folder);

/// The arguments of a kernel at its tuned size, filled. The launch is valid as long as the object.
class CallerTensors {
 public:
  explicit CallerTensors(KernelDefinition kernel);
  CallerTensors(const CallerTensors&) = delete;
  CallerTensors& operator=(const CallerTensors&) = delete;

  [[nodiscard]] const KernelDefinition& kernel() const { return m_kernel; }
  [[nodiscard]] LaunchArguments launch() const { return {m_views, m_scalars}; }

 private:
  KernelDefinition m_kernel;
  std::vector<MemoryBlock> m_blocks;
  std::vector<TensorView> m_views;
  std::vector<Scalar> m_scalars;
};

/// Tunes with the artifacts in `artifacts`, and prints one line of JSON: the kernel, the winner,
/// the seconds that it took, and what the clock said in each look.
void tune_once(const std::string& name, const std::filesystem::path& artifacts);

}  // namespace tunecheck::bench
