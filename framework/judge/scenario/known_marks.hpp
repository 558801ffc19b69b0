#pragma once
// Marks of known failures: read from their files, and put on results.
#include <chrono>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "result/known_failure.hpp"
#include "result/verdict.hpp"

namespace tunecheck {

/// The marks of all `files` together. For a mistake, or a second mark for one scenario,
/// the error has file, line and key. `scenarios` are the names that may be marked.
[[nodiscard]] Result<KnownFailures> read_known_failures(
    const std::vector<std::filesystem::path>& files, const std::set<std::string>& scenarios);

/// Judges the result of a marked scenario once more. A failure in nothing but the named checks
/// becomes `known`; a pass, where the mark does not say `at_times`, becomes `fail` with a message,
/// and so does whatever comes after `until`; `error` and `unsupported` stay what they are. `today`
/// is the day on which the run began, in UTC.
void apply_mark(const KnownFailure& mark, std::chrono::sys_days today, ScenarioResult& result);

}  // namespace tunecheck
