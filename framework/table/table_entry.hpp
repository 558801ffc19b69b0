#pragma once
// What identifies a kernel's code and its configs in an offline table.
#include <span>
#include <string>

#include "backend/backend.hpp"
#include "table/offline_table.hpp"

namespace tunecheck::table {

/// SHA-256 of the source and of the kernel's own headers, without comments and blanks: the same as
/// long as the same code is compiled.
[[nodiscard]] std::string code_digest(const KernelSources& sources);

/// XXH3-128 of the allowed configs, whatever their order.
[[nodiscard]] std::string space_digest(std::span<const Config> configs);

/// What `backend` runs a kernel on that is compiled for `arch`, as arch_for() returned it.
[[nodiscard]] Device device_of(const Backend& backend, const std::string& arch);

}  // namespace tunecheck::table
