#pragma once
// Where a failure is shown: at a line of the user's own files, if there is one.
#include <filesystem>
#include <string>

#include "result/verdict.hpp"

namespace tunecheck {

/// `file` relative to `root` where it is below it, else as it is.
[[nodiscard]] std::string below_root(const std::string& file, const std::filesystem::path& root);

struct ReportPlace {
  std::string file;
  int line = 1;
};

/// The scenario's line, of `check` if it names one (null: the scenario's own), where the scenario
/// lies below `root`: it is the user's. Otherwise the adapter's file where that does: a scenario of
/// tunecheck's own is no file of the checkout, and a service that finds no file shows nothing.
[[nodiscard]] ReportPlace place_of(const RunResult& run, const ScenarioResult& scenario,
                                   const CheckResult* check, const std::filesystem::path& root);

}  // namespace tunecheck
