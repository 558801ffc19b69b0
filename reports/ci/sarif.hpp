#pragma once
// SARIF 2.1.0, for code scanning: rules are checks, results are what failed.
#include <filesystem>
#include <span>
#include <string>

#include "reports/stored/report_sources.hpp"
#include "result/verdict.hpp"

namespace tunecheck {

struct SarifOptions {
  std::filesystem::path root;  ///< files below it are named relative to it
  std::string documentation;   ///< address of the folder docs/, for the rules; "" if unknown
  bool with_known = false;     ///< also failures that are known, as suppressed
};

/// One document with one SARIF run for each run. A scenario has one result for each of its checks
/// that is bad, and one of the rule "scenario" where no check says why. Their fingerprints depend
/// on adapter, device, scenario and check alone. They are shown where place_of() says. Known
/// failures are left out, or suppressed where they are asked for. A watch is a SARIF run too: its
/// rules are the words, and its results stand at the lines of the user's program.
[[nodiscard]] std::string to_sarif(std::span<const RunResult> runs,
                                   std::span<const WatchSource> watches,
                                   const SarifOptions& options);

}  // namespace tunecheck
