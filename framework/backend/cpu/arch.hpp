#pragma once
// Archs of the CPU backend: the instruction sets a kernel may be compiled for.
//
// On x86-64 an arch is one of the -march levels x86-64-v2, x86-64-v3 and x86-64-v4, or "native":
// this CPU with all it has, in full "native:<vendor>-<family>-<model>:<digest of its instruction
// set extensions>". On other CPUs there is only "native". No function here starts a process; all
// may be called by several threads at once.
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace tunecheck {

/// The archs this CPU can run, by the names a user would write, the default one first.
[[nodiscard]] std::vector<std::string> runnable_cpu_archs();

/// The precise name: "native" becomes what this CPU is, "" the default (x86-64-v2, so that winners
/// of one machine serve others; native where there are no levels). A precise name stays as it is.
/// An error, listing what this CPU can run, for any other.
[[nodiscard]] Result<std::string> resolve_cpu_arch(std::string_view requested);

/// The compiler options for an arch as resolve_cpu_arch returned it on this machine or, for a
/// level, on any other. An error for other names.
[[nodiscard]] Result<std::vector<std::string>> cpu_arch_options(std::string_view resolved);

}  // namespace tunecheck
