#pragma once
// One tuning of a CPU kernel in a process of its own, with artifacts that were compiled before. The
// part of tunecheck-noise-bench that another version of the tuner can be built with: its program is
// then `--against`.
#include <filesystem>
#include <string>
#include <vector>

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

/// Tunes with the artifacts in `artifacts`, and prints one line of JSON: the kernel, the winner,
/// the seconds that it took, and what the clock said in each look.
void tune_once(const std::string& name, const std::filesystem::path& artifacts);

}  // namespace tunecheck::bench
