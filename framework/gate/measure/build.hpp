#pragma once
// One of the two builds that the gate compares: an adapter's program, and kernels.
#include <filesystem>
#include <map>
#include <string>

#include "core/kernel.hpp"
#include "core/result.hpp"
#include "harness/process/adapter_info.hpp"

namespace tunecheck::gate {

struct Build {
  std::string given;                                ///< as the command line named it
  std::filesystem::path folder;                     ///< absolute
  std::string commit;                               ///< "" where it is a folder
  AdapterInfo adapter;                              ///< its program is the one in the build's bin
  std::map<std::string, KernelDefinition> kernels;  ///< those that the adapter has a version of
};

/// `folder` holds bin, with the programs of tunecheck. It is an installation, with share/tunecheck
/// beside bin, or a build folder of CMake, whose source tree has kernels and adapters. It may also
/// be a checkout with a tuner of its own: `adapter` is then the path of an adapter.info in it, and
/// the kernels are those of this tunecheck. The path of any other adapter.info is that of one
/// adapter for both builds. `kernels` are folders of further kernels.
[[nodiscard]] Result<Build> open_build(const std::filesystem::path& folder,
                                       const std::string& adapter,
                                       const std::vector<std::filesystem::path>& kernels);

/// What tells this build from another, for a report: digests (SHA-256) of the adapter's program and
/// of each kernel's folder.
[[nodiscard]] std::map<std::string, std::string> describe(const Build& build);

}  // namespace tunecheck::gate
