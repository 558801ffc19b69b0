#pragma once
// Where the programs that observe a process lie.
#include <filesystem>
#include <string_view>

#include "core/device_kinds.hpp"
#include "core/result.hpp"

namespace tunecheck {

/// The program that install_spy links to, and the library for LD_PRELOAD: beside the running
/// program, or in ../lib/tunecheck from there.
[[nodiscard]] Result<std::filesystem::path> find_compiler_spy();
[[nodiscard]] Result<std::filesystem::path> find_launch_probe();
[[nodiscard]] Result<std::filesystem::path> find_fault_library();
/// What a process that plans with FFTW loads by LD_PRELOAD behind the launch probe.
[[nodiscard]] Result<std::filesystem::path> find_fftw_probe();
/// What install_spy links to where a library is to be spied on: NVRTC for CUDA, HIPRTC for HIP.
[[nodiscard]] Result<std::filesystem::path> find_library_spy(DeviceKind backend);
/// The library for CUDA_INJECTION64_PATH, which is not built where there are no headers of CUDA, or
/// for HIP that for LD_AUDIT.
[[nodiscard]] Result<std::filesystem::path> find_gpu_probe(DeviceKind backend);

/// The manifest of the layer that records what a process does by Vulkan, beside which the layer
/// lies. It is not built where there are no headers of Vulkan.
[[nodiscard]] Result<std::filesystem::path> find_vulkan_layer();
/// As the manifest calls it, for VK_INSTANCE_LAYERS.
inline constexpr std::string_view vulkan_layer_name = "VK_LAYER_TUNECHECK_observer";

/// What each process of a watched program loads by LD_PRELOAD, and what the driver of CUDA loads
/// there, which is not built where there are no headers of CUDA.
[[nodiscard]] Result<std::filesystem::path> find_watch_library();
[[nodiscard]] Result<std::filesystem::path> find_gpu_watch_library();

}  // namespace tunecheck
