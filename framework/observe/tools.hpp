#pragma once
// Where the programs that observe a process lie.
#include <filesystem>

#include "core/result.hpp"

namespace tunecheck {

/// The program that install_spy links to, and the library for LD_PRELOAD: beside the running
/// program, or in ../lib/tunecheck from there.
[[nodiscard]] Result<std::filesystem::path> find_compiler_spy();
[[nodiscard]] Result<std::filesystem::path> find_launch_probe();
[[nodiscard]] Result<std::filesystem::path> find_fault_library();
/// The library that the CUDA driver loads, and the one that stands for NVRTC or HIPRTC.
[[nodiscard]] Result<std::filesystem::path> find_gpu_probe();
[[nodiscard]] Result<std::filesystem::path> find_runtime_compiler_spy();

}  // namespace tunecheck
