#pragma once
// Workflow commands that GitHub shows as annotations beside the lines they name.
#include <filesystem>
#include <span>
#include <string>

#include "reports/stored/report_sources.hpp"

namespace tunecheck {

/// A line `::error file=,line=,title=::text` for each scenario that is bad, worst first, at the
/// line of the first check that is; one for each run that is not to be trusted. Files below `root`
/// are relative to it, as GitHub wants them.
[[nodiscard]] std::string to_annotations(std::span<const RunResult> runs,
                                         const std::filesystem::path& root);

/// The same of what sessions of the gate found worse, and a warning for what could not be told;
/// times belong to no line of a file.
[[nodiscard]] std::string to_annotations(std::span<const GateSource> gates);

/// The same of what a watch found, at the lines of the user's program; what is not certain is a
/// warning.
[[nodiscard]] std::string to_annotations(std::span<const WatchSource> watches,
                                         const std::filesystem::path& root);

/// `file` relative to `root` where it is below it, else as it is.
[[nodiscard]] std::string below_root(const std::string& file, const std::filesystem::path& root);

}  // namespace tunecheck
