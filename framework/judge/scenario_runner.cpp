#include "judge/scenario_runner.hpp"

#include <algorithm>

#include "core/stopwatch.hpp"
#include "judge/adapter_process.hpp"
#include "judge/call_runner.hpp"

namespace tunecheck {
namespace {

constexpr std::string_view unsupported_prefix = "unsupported: ";

class ScenarioRunner {
 public:
  ScenarioRunner(const Scenario& scenario, const KernelDefinition& kernel,
                 const RunContext& context, Workspace& workspace)
      : m_scenario(scenario), m_kernel(kernel), m_context(context), m_workspace(workspace) {
    m_run.record.scenario = &scenario;
    m_run.record.kernel = &kernel;
    m_run.record.adapter = context.adapter;
  }

  ScenarioRun run() {
    for (const auto& step : m_scenario.steps) {
      if (stopped()) break;
      if (const auto* const process = std::get_if<ProcessStep>(&step))
        run_process(*process);
      else if (const auto* const touch = std::get_if<TouchStep>(&step))
        note(m_workspace.touch(*touch, m_kernel));
      else
        note(m_workspace.act(std::get<CacheStep>(step)));
    }
    return std::move(m_run);
  }

 private:
  [[nodiscard]] bool stopped() const {
    return !m_run.unsupported.empty() || !m_run.harness_error.empty();
  }

  void note(const Result<void>& result) {
    if (result || stopped()) return;
    const std::string text = result.error().text();
    if (text.starts_with(unsupported_prefix))
      m_run.unsupported = text.substr(unsupported_prefix.size());
    else
      m_run.harness_error = text;
  }

  [[nodiscard]] std::string relative(const std::filesystem::path& path) const {
    return path.lexically_relative(m_context.out).string();
  }

  // What chance on the simulated device depends on; see SimConditions.
  void add_simulation(Environment& environment) const {
    environment["TUNECHECK_SIM_SEED"] = std::to_string(m_context.seed);
    environment["TUNECHECK_SIM_PROCESS"] = std::to_string(m_run.record.processes.size());
  }

  void run_process(const ProcessStep& step) {
    ProcessRecord& record = m_run.record.processes.emplace_back();
    record.step = &step;
    AdapterLaunch launch;
    {
      const Stopwatch watch(m_run.stages.prepare_ns);
      note(m_workspace.prepare_process(step, m_context.observers));
      if (stopped()) return;
      const std::filesystem::path folder = m_workspace.process_folder(step.name);
      launch.adapter = m_context.adapter;
      launch.environment = m_workspace.environment_for(step, *m_context.adapter,
                                                       m_context.observers, m_scenario.watch);
      if (m_scenario.backend == "sim") add_simulation(launch.environment);
      launch.backend = m_scenario.backend;
      launch.folder = folder;
      launch.log = folder / "adapter.log";
      launch.time_limit = m_scenario.time_limit.value_or(m_context.adapter->time_limit);
      launch.in_child = m_workspace.child_setup();
      record.log_file = relative(launch.log);
      record.evidence_file = relative(m_workspace.evidence_file(step.name));
    }
    Result<AdapterProcess> adapter = [&] {
      const Stopwatch watch(m_run.stages.adapter_ns);
      return AdapterProcess::start(launch);
    }();
    if (!adapter) {
      record.trouble = "the adapter " + adapter.error().message;
      return;
    }
    record.tuner = adapter->hello().tuner + " " + adapter->hello().tuner_version;
    CallRunner calls(m_scenario, m_kernel, m_context, m_workspace, step, m_run.stages);
    for (const auto& each : step.steps) {
      if (stopped()) break;
      if (const auto* const call = std::get_if<CallStep>(&each)) {
        record.calls.push_back(calls.run(*call, *adapter));
        if (!record.calls.back().harness_error.empty())
          m_run.harness_error = record.calls.back().harness_error;
        if (!record.calls.back().answer) break;
      } else if (const auto* const touch = std::get_if<TouchStep>(&each)) {
        note(m_workspace.touch(*touch, m_kernel));
      } else {
        note(m_workspace.act(std::get<CacheStep>(each)));
      }
    }
    const Stopwatch watch(m_run.stages.adapter_ns);
    const AdapterProcess::End end = adapter->finish();
    record.end = end.end;
    record.trouble = end.trouble;
  }

  const Scenario& m_scenario;
  const KernelDefinition& m_kernel;
  const RunContext& m_context;
  Workspace& m_workspace;
  ScenarioRun m_run;
};

}  // namespace

ScenarioRun run_steps(const Scenario& scenario, const KernelDefinition& kernel,
                      const RunContext& context, Workspace& workspace) {
  return ScenarioRunner(scenario, kernel, context, workspace).run();
}

}  // namespace tunecheck
