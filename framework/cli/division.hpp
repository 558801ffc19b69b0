#pragma once
// Work that is divided among machines: which part this process has, and by which times.
#include <optional>
#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "core/result.hpp"
#include "judge/scenario/shard.hpp"

namespace tunecheck::cli {

/// --shard. `what` is what is divided: "scenarios".
void add_shard_option(CLI::App& command, std::string& shard, const std::string& what);
/// --times.
void add_times_option(CLI::App& command, std::vector<std::string>& files);

/// What --shard ("3/16", "auto", or "") and the environment say. An error where "auto" finds
/// nothing.
[[nodiscard]] Result<std::optional<Shard>> shard_asked(const std::string& option);

/// An error for --times where nothing is divided.
[[nodiscard]] Result<void> check_times(const std::vector<std::string>& files,
                                       const std::optional<Shard>& shard);

/// How long scenarios took according to results of runs and audits; `adapter` says whose count, ""
/// for all.
[[nodiscard]] Result<ScenarioTimes> times_of(const std::vector<std::string>& files,
                                             const std::string& adapter);

}  // namespace tunecheck::cli
