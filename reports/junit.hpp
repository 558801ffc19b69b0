#pragma once
// JUnit XML, for whatever shows test results: a test suite per family, a test case per scenario.
#include <filesystem>
#include <string>

#include "core/result.hpp"
#include "judge/verdict.hpp"

namespace tunecheck {

/// A whole document. A scenario has at most one `failure`, `error` or `skipped` element, since many
/// readers show only the first: it tells of all checks that did not pass. Characters that XML 1.0
/// forbids are replaced by U+FFFD.
[[nodiscard]] std::string to_junit(const RunResult& result);

/// Replaces `file` atomically.
[[nodiscard]] Result<void> write_junit(const RunResult& result, const std::filesystem::path& file);

}  // namespace tunecheck
