#pragma once
// Running scenarios against tuners.
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/device_kinds.hpp"
#include "harness/process/adapter_info.hpp"
#include "judge/run/self_test.hpp"
#include "judge/scenario/catalogue.hpp"
#include "judge/scenario/scenario.hpp"
#include "result/verdict.hpp"

namespace tunecheck {

/// How tasks are run, whatever they are.
struct TaskOptions {
  DeviceKind backend = DeviceKind::cpu;  ///< the kind of device; every task must run on it
  int jobs = 0;                          ///< scenarios at once; 0: one per core
  std::filesystem::path out;             ///< created; workspaces go to out/work
  std::filesystem::path compile_store;   ///< the spy's store; if empty the folder
                                         ///< TUNECHECK_COMPILE_STORE, else out/compile-store
  std::uint64_t seed = 1;
  bool keep = false;  ///< keep the workspaces of scenarios that passed
  /// Once so many have failed, or were in error, none is begun any more; 0: all are.
  int most_failures = 0;
  /// Asked before anything is run; nothing is where it fails.
  std::function<Result<void>()> self_test = [] { return test_judgement(); };
  /// Called before each scenario, by one thread at a time, and never together with `progress`.
  std::function<void(const Scenario&)> begun;
  /// Called after each scenario, by one thread at a time.
  std::function<void(const ScenarioResult&, int done, int total)> progress;
};

/// One scenario against one tuner.
struct ScenarioTask {
  const Scenario* scenario = nullptr;
  const AdapterInfo* adapter = nullptr;
  std::string repro_options;     ///< options that its repro line must repeat, e.g. " --adapter x"
  std::filesystem::path folder;  ///< below out/work, where tasks of one scenario must not meet
  const KnownFailure* known = nullptr;  ///< the mark that its result is judged by, if any
};

/// Runs the tasks, those that measure one after the other and the others in parallel; results by
/// name and adapter. An error only where nothing could be run at all (no output folder, no spy, no
/// adapter, no such device).
[[nodiscard]] Result<std::vector<ScenarioResult>> run_tasks(const Catalogue& catalogue,
                                                            const std::vector<ScenarioTask>& tasks,
                                                            TaskOptions options);

/// The head of a result: when, where, what.
[[nodiscard]] RunResult begin_run(const AdapterInfo& adapter, const TaskOptions& options);

struct RunOptions {
  AdapterInfo adapter;
  TaskOptions tasks;
  std::string repro_options;      ///< see ScenarioTask
  std::string commit;             ///< that the tuner is at, "" if unknown: for the result
  KnownFailures known;            ///< marks of scenarios that were not selected say nothing
  std::vector<LeftOut> left_out;  ///< what the selection leaves out, for the result
  std::optional<ShardOf> shard;   ///< where the scenarios are one part of a run
  /// Given the result before the first scenario, after each one by one thread at a time, and with
  /// `trouble` where nothing could be run. An error of the first call ends the run.
  std::function<Result<void>(const RunResult&)> so_far;
};

/// Scenarios against one tuner: what `tunecheck run` does.
[[nodiscard]] Result<RunResult> run_scenarios(const Catalogue& catalogue,
                                              const std::vector<const Scenario*>& scenarios,
                                              const RunOptions& options);

/// Whether a scenario was left out because enough others had failed (TaskOptions::most_failures):
/// such a run can be gone on with.
[[nodiscard]] bool was_stopped_before(const LeftOut& scenario);

/// Facts about this machine for a result: host, cpu, cores, kernel, compiler.
[[nodiscard]] std::map<std::string, std::string> describe_machine();
/// What people call it, from these facts: "AMD EPYC, 2 cores", and its GPUs where they matter.
[[nodiscard]] std::string machine_name(const std::map<std::string, std::string>& facts,
                                       bool with_gpus);

}  // namespace tunecheck
