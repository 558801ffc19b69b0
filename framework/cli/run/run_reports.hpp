#pragma once
// A run with everything that it leaves: result.json, junit.xml, report.html, and its summary.
#include "cli/tuner_run.hpp"
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

}  // namespace tunecheck::cli
