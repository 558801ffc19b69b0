#pragma once
// The rules of `tunecheck watch`: what the evidence of several runs of one program says. Nothing is
// concluded from the name of a tuner, and what the evidence does not decide is said to be so.
#include <string>
#include <vector>

#include "result/watch_result.hpp"
#include "watch/program_run.hpp"

namespace tunecheck::watch {

/// What was found, the gravest first; of one word, kernel and place once. `runs` are of one
/// program. Usual ones come first and share their cache folders: the first was cold, or is as warm
/// as the others where `first_is_warm`. Edited and fresh ones, if there are any, follow.
[[nodiscard]] std::vector<WatchResult::Finding> find_findings(const std::vector<ProgramRun>& runs,
                                                              bool first_is_warm);

/// How many launches of each kernel were trials, in each run.
[[nodiscard]] std::vector<WatchResult::Kernel> count_kernels(const std::vector<ProgramRun>& runs,
                                                             bool first_is_warm);

/// "train.py:9 (step)" as file, line and function; the file alone where it is nothing of the kind.
[[nodiscard]] WatchResult::Place place_in(const std::string& text);

}  // namespace tunecheck::watch
