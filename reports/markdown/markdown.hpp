#pragma once
// A page in Markdown for a comment on a pull request and for the summary of a job.
#include <cstddef>
#include <span>
#include <string>

#include "reports/stored/report_sources.hpp"

namespace tunecheck {

/// What GitHub takes, in bytes: a comment 65,536 characters, the summary of a job 1 MiB.
inline constexpr std::size_t longest_comment = 65536;

/// Verdicts, and what sessions of the gate found worse; what changed against the run of the same
/// adapter and device in `base`, if there is one; what failed, unfolded where it did not fail
/// before; the rest folded. What does not fit into `most` bytes (at least 1000) is left out, the
/// least important first, and the page says so.
[[nodiscard]] std::string to_markdown(std::span<const RunResult> runs,
                                      std::span<const RunResult> base,
                                      std::size_t most = longest_comment,
                                      std::span<const GateSource> gates = {},
                                      std::span<const WatchSource> watches = {});

}  // namespace tunecheck
