#pragma once
// Workflow commands that GitHub shows as annotations beside the lines they name.
#include <cstddef>
#include <filesystem>
#include <string>

#include "reports/stored/report_sources.hpp"

namespace tunecheck {

/// GitHub shows ten of each step, and nobody sees that there were more.
inline constexpr std::size_t most_annotations = 10;

/// A line `::error file=,line=,title=::text` for each run that is not to be trusted and for each
/// cause of failures, at its clearest scenario (see place_of()); for each finding of the gate that
/// is worse, which belongs to no line, and a warning for what could not be told; for each finding
/// of a watch, at the line of the user's program, as a warning where it is not certain. Errors
/// first; no more than most_annotations lines, the last of which then says how many there are
/// besides.
[[nodiscard]] std::string to_annotations(const ReportSources& sources,
                                         const std::filesystem::path& root);

}  // namespace tunecheck
