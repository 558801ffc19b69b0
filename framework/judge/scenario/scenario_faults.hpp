#pragma once
// How scenario files say when a process is killed, and which of its file operations fail.
#include "core/info.hpp"
#include "harness/process/process_setup.hpp"

namespace tunecheck {

/// "compiles_N", "launches_N", "configs_N" or a point such as "after_rename_1". A mistake goes to
/// `errors`.
[[nodiscard]] KillPoint read_kill(const InfoNode& node, InfoErrors& errors);
/// Likewise, of a process that stands still there before it is killed.
[[nodiscard]] KillPoint read_freeze(const InfoNode& node, InfoErrors& errors);

/// OPERATION_N_ERROR, such as "write_2_enospc". A mistake goes to `errors`.
[[nodiscard]] Refusal read_fail(const InfoNode& node, InfoErrors& errors);

}  // namespace tunecheck
