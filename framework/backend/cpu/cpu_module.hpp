#pragma once
// Loading and launching artifacts of the CPU backend.
#include <memory>
#include <string>

#include "backend/backend.hpp"

namespace tunecheck {

/// Loads exactly these bytes, from memory, and finds the function `entry` in them. Modules are
/// independent of each other, also two of the same bytes. An error for bytes that are no shared
/// object of this machine, that are cut short, that need symbols nobody has, or that lack the
/// entry. Bytes that were changed on purpose or by chance and still look like a shared object are
/// executed: compare their digest first.
[[nodiscard]] Result<std::unique_ptr<Module>> load_shared_object(const Artifact& artifact,
                                                                 const std::string& entry);

/// Loads what compile_reference made. Its launches take f64 tensors, contiguous, in the order of
/// the kernel file.
[[nodiscard]] Result<std::unique_ptr<Module>> load_reference(const Artifact& artifact);

}  // namespace tunecheck
