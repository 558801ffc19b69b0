#pragma once
// The sources that a CPU kernel is compiled from.
#include "backend/backend.hpp"

namespace tunecheck {

/// The kernel's CPU source and all headers that the compiler would find beside the file that
/// includes them, in the folders that the kernel's options name (-I, -iquote, -isystem, -include)
/// or among tunecheck's own. Other headers belong to the toolchain and are left out. Conditional
/// compilation is not followed: a header counts whether or not it is skipped. A name is relative to
/// the kernel's folder, or as included where it is tunecheck's own; never a place on this machine.
[[nodiscard]] Result<KernelSources> read_cpu_sources(const KernelDefinition& kernel);

}  // namespace tunecheck
