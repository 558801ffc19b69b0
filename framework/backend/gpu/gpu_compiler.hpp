#pragma once
// Compiling GPU kernels in a child process, because a runtime compiler may take its process with
// it.
#include <span>
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "core/device_kinds.hpp"

namespace tunecheck {

/// What can be said of a backend's compiler on this machine.
struct GpuCompilerState {
  std::string version;  ///< as RuntimeCompiler::version says; "" where there is none
  std::string missing;  ///< what is missing, and how to get it; "" where nothing is
};
[[nodiscard]] GpuCompilerState examine_gpu_compiler(DeviceKind backend);

/// `arch` with the features that the kernel asks for: "sm_90a" for "sm_90", as the CUDA Programming
/// Guide names them. Archs before sm_90, PTX and HIP have no such features.
[[nodiscard]] std::string gpu_arch_for(DeviceKind backend, const KernelDefinition& kernel,
                                       std::string arch);

/// Compiles the kernel's gpu source once for each request, at most `jobs` at a time (0: one for
/// each core), and returns what became of each, in their order. `done`, where there is one, is told
/// of each request once, as soon as it is known, in the calling thread. `arch` of a request is the
/// backend's own name (sm_90, gfx90a), to which gpu_arch_for adds. A request whose compiler dies or
/// hangs has failed; the others go on, and those that were compiled beside it are compiled again.
/// No GPU and no driver is needed.
[[nodiscard]] std::vector<Result<Artifact>> compile_gpu_all(
    DeviceKind backend, std::span<const CompileRequest> requests, int jobs,
    const OnCompiled& done = {});

}  // namespace tunecheck
