#pragma once
// JUnit XML, for whatever shows test results: a test suite per family, a test case per scenario. It
// keeps to the schema by which Jenkins accepts it, which is the strictest of all.
#include <filesystem>
#include <span>
#include <string>

#include "core/result.hpp"
#include "reports/stored/report_sources.hpp"

namespace tunecheck {

/// A whole document. A scenario has at most one `failure`, `error` or `skipped` element, since many
/// readers show only the first: it tells of all checks that did not pass. Characters that XML 1.0
/// forbids are replaced by U+FFFD.
/// A run that is not to be trusted has an error of its own. Suites of several runs begin with the
/// name of the tuner. Class names are `tunecheck.ADAPTER.BACKEND.FAMILY`, and the same whatever the
/// version of the tuner is and how many runs there are; a suite names the file that place_of()
/// says. A session of the gate is a suite of its own: what is worse fails, what could not be told
/// is skipped with the reason, or fails where the session was asked to fail there. A watch is a
/// suite of its own, with a test case for each kernel and one for what is of the whole program:
/// what was found fails, what is unclear, allowed or in the baseline is skipped.
[[nodiscard]] std::string to_junit(std::span<const RunResult> runs,
                                   std::span<const GateSource> gates = {},
                                   std::span<const WatchSource> watches = {},
                                   const std::filesystem::path& root = {});

/// Replaces `file` atomically.
[[nodiscard]] Result<void> write_junit(const RunResult& result, const std::filesystem::path& file,
                                       const std::filesystem::path& root = {});

}  // namespace tunecheck
