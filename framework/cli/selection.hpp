#pragma once
// Which scenarios a run is about, beside those that it names: without some, those that failed last
// time, those that were not reached, one part of all.
#include <CLI/App.hpp>

#include "cli/tuner_run.hpp"
#include "core/result.hpp"

namespace tunecheck::cli {

/// --exclude, --last-failed, --resume, --shard, --times.
void add_selection_options(CLI::App& command, RunArguments& arguments);

/// Options that mean nothing together, and values that are none.
[[nodiscard]] Result<void> check_selection(const RunArguments& arguments);

}  // namespace tunecheck::cli
