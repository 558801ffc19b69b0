#pragma once
// The same scenarios with several seeds, one after another.
#include "cli/run/run_reports.hpp"
#include "cli/tuner_run.hpp"

namespace tunecheck::cli {

/// `count` seeds from the run's own on: each leaves what a run leaves in OUT/seed-N, and
/// OUT/seeds.json says which of them failed; what is interrupted has what was found until then. The
/// caller has locked OUT. Returns the exit status.
[[nodiscard]] int run_seeds(const RunArguments& arguments, int count, const Shown& shown);

/// An error where an option that goes back to an earlier result, or divides a run, is next to it.
[[nodiscard]] Result<void> check_seeds(const RunArguments& arguments, int count);

}  // namespace tunecheck::cli
