#pragma once
// A run with everything that it leaves: result.json, junit.xml, report.html, and its summary.
#include <filesystem>

#include "cli/tuner_run.hpp"
#include "core/result.hpp"
#include "reports/stored/report_sources.hpp"
#include "reports/terminal/terminal.hpp"

namespace tunecheck::cli {

struct Shown {
  Detail detail = Detail::normal;
  int slowest = 0;       ///< so many scenarios that took longest; 0: none
  bool briefly = false;  ///< no progress, and only the verdict of a run that held
};

/// Runs it, leaves its reports in its folder of --out, which the caller has locked, prints the
/// summary, and returns the exit status. Prints why where it cannot.
[[nodiscard]] int run_and_report(const TunerRun& run, const Shown& shown);

/// Writes `folder`/report.html with links to the evidence, relative to `folder`; "" where this
/// program has no page, or it cannot be made: that is no reason to fail.
std::filesystem::path write_page(const ReportSources& sources, const std::filesystem::path& folder);

}  // namespace tunecheck::cli
