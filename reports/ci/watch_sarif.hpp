#pragma once
// A watch as a SARIF run.
#include <nlohmann/json.hpp>

#include "reports/ci/sarif.hpp"
#include "result/watch_result.hpp"

namespace tunecheck {

/// Results are the findings, at the line where the kernel is defined, or
/// from which it is launched; what is not certain is
/// a note, what is allowed or in the baseline is suppressed. Fingerprints depend on word, kernel
/// and file alone, since lines move.
[[nodiscard]] nlohmann::ordered_json watch_sarif_run(const WatchResult& watch,
                                                     const SarifOptions& options);

}  // namespace tunecheck
