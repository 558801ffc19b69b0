#pragma once
// SARIF 2.1.0, for code scanning: rules are checks, results are what failed.
#include <filesystem>
#include <span>
#include <string>

#include "reports/stored/report_sources.hpp"
#include "result/verdict.hpp"

namespace tunecheck {

/// One document with one SARIF run for each run. A scenario has one result for each of its checks
/// that is bad, and one of the rule "scenario" where no check says why. Their fingerprints depend
/// on adapter, device, scenario and check alone. A failure that is known is suppressed. Files below
/// `root` are relative to it. A watch is a SARIF run too: its rules are the words, and its results
/// stand at the lines of the user's program.
[[nodiscard]] std::string to_sarif(std::span<const RunResult> runs,
                                   const std::filesystem::path& root,
                                   std::span<const WatchSource> watches = {});

}  // namespace tunecheck
