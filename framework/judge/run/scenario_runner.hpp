#pragma once
// Runs the steps of one scenario and records what happened.
#include <filesystem>
#include <string>

#include "core/device_kinds.hpp"
#include "harness/kernel/oracle.hpp"
#include "harness/process/workspace.hpp"
#include "judge/checks/record.hpp"
#include "result/verdict.hpp"

namespace tunecheck {

/// What all scenarios of a run share. Thread-safe.
struct RunContext {
  const AdapterInfo* adapter = nullptr;
  DeviceKind backend = DeviceKind::cpu;  ///< the kind of device
  Observers observers;
  Oracle* oracle = nullptr;
  std::filesystem::path out;  ///< the run's output folder
  std::uint64_t seed = 1;
  int compile_jobs = 1;  ///< compilers at once within one adapter
};

struct ScenarioRun {
  ScenarioRecord record;
  Stages stages;
  /// Why this machine cannot run it, or which points the tuner did not come to; "" for neither.
  std::string unsupported;
  std::string harness_error;  ///< what the judge could not do, "" if nothing
};

/// Never fails as a whole: what could not be done is in the run. The workspace stays.
[[nodiscard]] ScenarioRun run_steps(const Scenario& scenario, const KernelDefinition& kernel,
                                    const RunContext& context, Workspace& workspace);

}  // namespace tunecheck
