#pragma once
// The libraries that compile GPU kernels at run time: NVRTC and HIPRTC. Opened when they are asked
// for, so that a program starts without them.
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backend/backend.hpp"
#include "core/device_kinds.hpp"
#include "core/result.hpp"

namespace tunecheck {

/// One opened library. It runs in this process and may end it: HIPRTC 5.2 aborts for an arch that
/// it does not know. Several threads may compile at a time.
class RuntimeCompiler {
 public:
  virtual ~RuntimeCompiler() = default;
  /// "NVRTC 13.0", "HIPRTC 9.0 (libamdhip64.so.5.2.21153)".
  [[nodiscard]] virtual std::string version() const = 0;
  /// The library's file.
  [[nodiscard]] virtual std::filesystem::path file() const = 0;
  /// Tells apart libraries that may make different code of one source. NVRTC: the soname and what
  /// the linker wrote into the library when it was built, or the version where it wrote nothing.
  /// HIPRTC: the version and what the linker wrote into it and into the library that it lets do the
  /// work (libamd_comgr).
  [[nodiscard]] virtual std::string fingerprint() const = 0;
  /// Compiles for `arch` (sm_90, gfx90a; compute_80 for PTX) to what the driver loads. `name`
  /// appears in complaints; the error is the first of them.
  [[nodiscard]] virtual Result<Artifact> compile(const std::string& source, const std::string& name,
                                                 const std::string& arch,
                                                 const std::vector<std::string>& options) const = 0;
};

/// Opens the library of `backend`, NVRTC for CUDA and HIPRTC for HIP: the one that TUNECHECK_NVRTC
/// or TUNECHECK_HIPRTC names, else the first that is found where toolkits and ci/bootstrap put it.
/// The error says what is missing.
[[nodiscard]] Result<std::unique_ptr<RuntimeCompiler>> open_runtime_compiler(DeviceKind backend);

/// The fingerprint() of what open_runtime_compiler() would open. NVRTC's is read from the file if
/// it is certain which one that is: to load a library of 100 MB takes milliseconds.
[[nodiscard]] Result<std::string> runtime_compiler_fingerprint(DeviceKind backend);

}  // namespace tunecheck
