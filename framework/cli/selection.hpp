#pragma once
// Which scenarios a run is about, beside those that it names: without some, those that failed last
// time, those that were not reached, one part of all.
#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "cli/tuner_run.hpp"
#include "core/result.hpp"

namespace tunecheck::cli {

/// --where: see judge/scenario/scenario_filter.hpp.
void add_where(CLI::App& command, std::string& where);
/// Leaves those of which the condition is true; all if it is "". An error where it cannot be read,
/// or leaves none.
[[nodiscard]] Result<void> keep_where(const std::string& where, const Catalogue& catalogue,
                                      std::vector<const Scenario*>& scenarios);

/// --exclude, --where, --last-failed, --resume, --shard, --times.
void add_selection_options(CLI::App& command, RunArguments& arguments);

/// Options that mean nothing together, and values that are none.
[[nodiscard]] Result<void> check_selection(const RunArguments& arguments);

}  // namespace tunecheck::cli
