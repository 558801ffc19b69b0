#pragma once
// What the launches of tuned kernels were in the order of time, and what each kernel ended with.
#include <cstddef>
#include <vector>

#include "result/watch_result.hpp"
#include "watch/program_run.hpp"

namespace tunecheck::watch {

/// Spans that are kept; more are left out and counted.
struct TimelineLimits {
  std::size_t timelines = 32;
  std::size_t spans_of_one = 2048;
  std::size_t spans = 8192;
};

/// Fills in `timelines` of a result whose findings and kernels are there. Places are as the
/// observers told them.
void add_timelines(const std::vector<ProgramRun>& runs, bool first_is_warm, TimelineLimits limits,
                   WatchResult& result);

/// Fills in what `kernels` ended with, and the time of their tunings.
void add_ends(const std::vector<ProgramRun>& runs, bool first_is_warm,
              std::vector<WatchResult::Kernel>& kernels);

}  // namespace tunecheck::watch
