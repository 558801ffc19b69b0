#pragma once
// What a program says that it can plant into its tuner: its answer to --list.
#include <chrono>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "harness/process/adapter_info.hpp"

namespace tunecheck {

/// Runs `command` with --list and reads its stdout; `what` they are called that it lists:
/// "mutants". A list that is not as adapters write it is bad input, and the message says which
/// entry and key. A program that does not end well is the machine's.
[[nodiscard]] Result<std::vector<MutantInfo>> ask_for_planted(std::vector<std::string> command,
                                                              const std::string& what,
                                                              std::chrono::milliseconds time_limit);

}  // namespace tunecheck
