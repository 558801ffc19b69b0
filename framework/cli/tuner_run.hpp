#pragma once
// Scenarios against one tuner, as `run` and `matrix` run them: from the command line to the
// reports.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "core/device_kinds.hpp"
#include "core/result.hpp"
#include "judge/run/session.hpp"
#include "reports/terminal/terminal.hpp"

namespace tunecheck::cli {

struct RunArguments {
  std::vector<std::string> globs, kernels, scenarios, known;
  std::string adapter = "reference", out = "out";
  DeviceKind backend = DeviceKind::cpu;
  int jobs = 0;
  std::uint64_t seed = 1;
  bool keep = false, quick = false;
  std::vector<std::string> excluded;  ///< globs
  std::string where;                  ///< a condition; "" for all
  bool last_failed = false, resumes = false;
  int most_failures = 0;           ///< 0: it goes on whatever fails
  std::string shard;               ///< "3/16" or "auto"
  std::vector<std::string> times;  ///< files of earlier results
};

/// The options that say what is run, and how; which tuner and where to is the command's own.
void add_run_options(CLI::App& command, RunArguments& arguments);

/// What is going to be run.
struct TunerRun {
  Catalogue catalogue;
  std::vector<const Scenario*> scenarios;  ///< of the catalogue, once they are selected
  RunOptions options;
  int most_failures = 0;
  std::optional<RunResult> before;  ///< the interrupted run that is gone on with
};

/// Reads all files. An error is a mistake in one of them or in the arguments.
[[nodiscard]] Result<TunerRun> prepare(const RunArguments& arguments);

/// Several runs into folders below `folder` compile the same: unless the user says where that is
/// kept, it is kept there.
void share_compile_store(TunerRun& run, const std::filesystem::path& folder);

/// An error where the adapter does not declare the run's kind of device.
[[nodiscard]] Result<void> check_backend(const TunerRun& run);

/// An error where nothing matches, or an earlier result that is asked for does not fit.
[[nodiscard]] Result<void> select(const RunArguments& arguments, TunerRun& run);
/// The same without --shard and what the environment says of it: for what divides several runs.
[[nodiscard]] Result<void> select_whole(const RunArguments& arguments, TunerRun& run);

/// Runs it; `detail` says what of it is seen on stdout meanwhile. Keeps result.json in the run's
/// folder up to date meanwhile; of an error, it says why nothing could be run.
[[nodiscard]] Result<RunResult> perform(const TunerRun& run, Detail detail);

/// The result of a run that cannot begin, and why.
[[nodiscard]] RunResult not_begun(const TunerRun& run, const Error& trouble);

}  // namespace tunecheck::cli
