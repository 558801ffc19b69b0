#pragma once
// Where the kernels of a program are defined, as far as its interpreter knew.
#include <vector>

#include "result/watch_result.hpp"
#include "watch/program_run.hpp"

namespace tunecheck::watch {

/// Adds to each finding of a kernel where that is defined, from the bursts that were launched at
/// the finding's place; before find_source_line() changes this.
void add_definitions(const std::vector<ProgramRun>& runs,
                     std::vector<WatchResult::Finding>& findings);

}  // namespace tunecheck::watch
