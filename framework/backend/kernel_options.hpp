#pragma once
// What the compiler of a kernel is given. The backends take it from here, and adapters of other
// tuners are told it in each call, so that no tuner has to work it out of the kernel file.
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/config.hpp"
#include "core/device_kinds.hpp"
#include "core/kernel.hpp"

namespace tunecheck {

/// The macros that say which dtype a tensor has: "-DX_TYPE=float". `dtypes` has one for each tensor
/// of the kernel file, in its order.
[[nodiscard]] std::vector<std::string> dtype_options(DeviceKind backend,
                                                     const KernelDefinition& kernel,
                                                     const std::vector<DType>& dtypes);

/// The macros of one config: "-DBLOCK=64", and TUNECHECK_CONFIG, from which observers know the
/// config.
[[nodiscard]] std::vector<std::string> config_options(DeviceKind backend, const Config& config);

/// A kernel's source for a kind of device, and what its compiler is given for every config.
struct KernelBuild {
  std::filesystem::path source;  ///< empty where the kernel has none for this kind of device
  std::vector<std::string> options;
};

/// Beside config_options(), the source and the output's name. On a CPU the arguments of a compiler
/// that makes a shared object; on a GPU the options of a runtime compiler, without the arch.
/// `arch` is what a call asks for, "" for none: then no option chooses one. One that is not known
/// is handed on, so that the compiler refuses it. `options` are the caller's; they come last.
[[nodiscard]] KernelBuild kernel_build(DeviceKind backend, const KernelDefinition& kernel,
                                       const std::vector<DType>& dtypes, const std::string& arch,
                                       const std::vector<std::string>& options);

}  // namespace tunecheck
