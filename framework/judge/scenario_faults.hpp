#pragma once
// How scenario files say when a process is killed, and which of its file operations fail.
#include "core/info.hpp"
#include "judge/scenario.hpp"

namespace tunecheck {

/// "compiles_N", "launches_N", "configs_N" or a point such as "after_rename_1". A mistake goes to
/// `errors`.
[[nodiscard]] KillStep read_kill(const InfoNode& node, InfoErrors& errors);

/// OPERATION_N_ERROR, such as "write_2_enospc". A mistake goes to `errors`.
[[nodiscard]] FailStep read_fail(const InfoNode& node, InfoErrors& errors);

}  // namespace tunecheck
