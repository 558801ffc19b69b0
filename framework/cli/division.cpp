#include "cli/division.hpp"

#include <cstdlib>

#include "cli/arguments.hpp"
#include "reports/stored/report_sources.hpp"

namespace tunecheck::cli {
namespace {

tl::unexpected<Error> refusal(const std::string& option, const std::string& message) {
  return failure(Error{ErrorKind::bad_input, message, {}, 0, option});
}

void add_times(const RunResult& run, const std::string& adapter, ScenarioTimes& times) {
  if (!adapter.empty() && run.adapter != adapter) return;
  for (const ScenarioResult& scenario : run.scenarios)
    times[scenario.name] = scenario.wall_ns;
}

}  // namespace

void add_shard_option(CLI::App& command, std::string& shard, const std::string& what) {
  command
      .add_option("--shard", shard,
                  "Take one part of the " + what +
                      " (3/16). Parts take about as long, and\n"
                      "`tunecheck merge` puts their results together. \"auto\" asks the\n"
                      "variables of Slurm, GitLab or Kubernetes")
      ->type_name("K/N");
}

void add_times_option(CLI::App& command, std::vector<std::string>& files) {
  add_repeatable(command, "--times", files,
                 "An earlier result.json or audit.json, whose times divide the scenarios\n"
                 "among parts; may be given several times",
                 "FILE");
}

Result<std::optional<Shard>> shard_asked(const std::string& option) {
  if (!option.empty() && option != "auto") {
    TUNECHECK_TRY(const Shard shard, parse_shard(option));
    return std::optional(shard);
  }
  const char* const own = std::getenv("TUNECHECK_SHARD");
  if (option.empty() && (own == nullptr || *own == '\0')) return std::optional<Shard>();
  TUNECHECK_TRY(const auto shard,
                shard_of_environment([](const char* name) { return std::getenv(name); }));
  if (!shard)
    return refusal("--shard",
                   "expected TUNECHECK_SHARD, SLURM_ARRAY_TASK_ID, CI_NODE_INDEX or "
                   "JOB_COMPLETION_INDEX in the environment, found none");
  return shard;
}

Result<void> check_times(const std::vector<std::string>& files, const std::optional<Shard>& shard) {
  if (files.empty() || shard) return {};
  return refusal("--times", "expected only where a run is divided (--shard)");
}

Result<ScenarioTimes> times_of(const std::vector<std::string>& files, const std::string& adapter) {
  ScenarioTimes times;
  if (files.empty()) return times;
  TUNECHECK_TRY(const ReportSources sources, read_report_sources(to_paths(files)));
  for (const RunResult& run : sources.runs)
    add_times(run, adapter, times);
  for (const auto& [file, audit] : sources.audits)
    add_times(audit.reference, adapter, times);
  if (times.empty() && adapter.empty())
    return failure(Error{ErrorKind::bad_input, "expected times of scenarios, found none",
                         files.front(), 0, "--times"});
  return times;
}

}  // namespace tunecheck::cli
