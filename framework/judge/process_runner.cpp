#include "judge/process_runner.hpp"

#include <algorithm>

#include "core/stopwatch.hpp"
#include "judge/call_runner.hpp"
#include "judge/evidence_killer.hpp"

namespace tunecheck {
namespace {

constexpr std::string_view unsupported_prefix = "unsupported: ";
constexpr std::chrono::seconds gpu_start_time(20);

std::string relative(const std::filesystem::path& path, const RunContext& context) {
  return path.lexically_relative(context.out).string();
}

// Called once: by whoever comes first, or at the end of its life.
class Once {
 public:
  explicit Once(std::function<void()> call) : m_call(std::move(call)) {}
  Once(const Once&) = delete;
  Once& operator=(const Once&) = delete;
  ~Once() { (*this)(); }
  void operator()() {
    if (m_call) std::exchange(m_call, nullptr)();
  }

 private:
  std::function<void()> m_call;
};

}  // namespace

void ProcessRun::note(const Result<void>& result) {
  if (result || stopped()) return;
  const std::string text = result.error().text();
  if (text.starts_with(unsupported_prefix))
    unsupported = text.substr(unsupported_prefix.size());
  else
    harness_error = text;
}

ProcessRunner::ProcessRunner(const Scenario& scenario, const KernelDefinition& kernel,
                             const RunContext& context, Workspace& workspace,
                             const ProcessStep& step, const ProcessGroup* group, int number)
    : m_scenario(scenario),
      m_kernel(kernel),
      m_context(context),
      m_workspace(workspace),
      m_step(step),
      m_number(number) {
  m_run.record.step = &step;
  m_run.record.group = group;
}

void ProcessRunner::start() {
  ProcessRecord& record = m_run.record;
  const bool in_group = record.group != nullptr;
  AdapterLaunch launch;
  {
    const Stopwatch watch(m_run.stages.prepare_ns);
    m_run.note(
        m_workspace.prepare_process(m_step, *m_context.adapter, m_context.observers, in_group));
    if (m_run.stopped()) return;
    const std::filesystem::path folder = m_workspace.process_folder(m_step.name);
    launch.adapter = m_context.adapter;
    launch.environment = environment();
    launch.backend = m_context.backend;
    launch.folder = folder;
    launch.log = folder / "adapter.log";
    launch.time_limit = time_limit_of(*m_context.adapter, m_scenario.time_limit);
    // A limit is for a tuner that hangs. That a GPU's contexts take their time is no such thing.
    if (is_gpu(m_context.backend)) launch.time_limit += gpu_start_time;
    launch.in_child = m_workspace.child_setup();
    record.log_file = relative(launch.log, m_context);
    record.evidence_file = relative(m_workspace.evidence_file(m_step.name), m_context);
  }
  const Stopwatch watch(m_run.stages.adapter_ns);
  auto adapter = AdapterProcess::start(launch);
  if (!adapter) {
    record.trouble = "the adapter " + adapter.error().message;
    return;
  }
  record.tuner = adapter->hello().tuner + " " + adapter->hello().tuner_version;
  record.device = adapter->hello().device;
  for (const CallStep* const call : m_step.calls())
    if (call->settings.gpu.device >= adapter->hello().devices)
      m_run.note(failure("{}a call needs device {}, counted from 0, and the adapter has {}",
                         unsupported_prefix, call->settings.gpu.device, adapter->hello().devices));
  m_adapter = std::move(*adapter);
}

Environment ProcessRunner::environment() const {
  Environment environment =
      m_workspace.environment_for(m_step, *m_context.adapter, m_context.observers, m_scenario.watch,
                                  m_run.record.group != nullptr);
  if (m_context.backend == "sim") {
    // What chance on the simulated device depends on; see SimConditions.
    environment["TUNECHECK_SIM_SEED"] = std::to_string(m_context.seed);
    environment["TUNECHECK_SIM_PROCESS"] = std::to_string(m_number);
  }
  return environment;
}

ProcessRun ProcessRunner::run(std::function<void()> before_asking) {
  if (m_adapter) {
    run_steps(std::move(before_asking));
    end();
  } else if (before_asking) {
    before_asking();
  }
  return std::move(m_run);
}

void ProcessRunner::run_steps(std::function<void()> before_asking) {
  Once ready(std::move(before_asking));
  CallRunner calls(m_kernel, m_context, m_workspace, m_step, m_run.stages, [&ready] { ready(); });
  std::optional<EvidenceKiller> killer;
  if (m_step.kill && m_step.kill->when != KillStep::When::file_operation)
    killer.emplace(*m_step.kill, m_workspace.evidence_file(m_step.name), m_kernel.name,
                   m_adapter->id());
  for (const auto& each : m_step.steps) {
    if (m_run.stopped()) break;
    if (const auto* const call = std::get_if<CallStep>(&each)) {
      m_run.record.calls.push_back(calls.run(*call, *m_adapter));
    } else if (const auto* const group = std::get_if<CallGroup>(&each)) {
      for (CallRecord& record : calls.run_together(*group, *m_adapter))
        m_run.record.calls.push_back(std::move(record));
    } else if (const auto* const touch = std::get_if<TouchStep>(&each)) {
      m_run.note(m_workspace.touch(*touch, m_kernel));
    } else {
      m_run.note(m_workspace.act(std::get<CacheStep>(each), *m_context.adapter));
    }
    for (const CallRecord& record : m_run.record.calls)
      if (!record.harness_error.empty()) m_run.harness_error = record.harness_error;
    if (!answered()) break;
  }
  if (killer) m_run.record.killed_ns = killer->killed_ns();
}

bool ProcessRunner::answered() const {
  return std::all_of(m_run.record.calls.begin(), m_run.record.calls.end(),
                     [](const CallRecord& call) { return call.answer.has_value(); });
}

void ProcessRunner::end() {
  ProcessRecord& record = m_run.record;
  {
    const Stopwatch watch(m_run.stages.adapter_ns);
    const AdapterProcess::End end = m_adapter->finish();
    record.end = end.end;
    record.trouble = end.trouble;
  }
  bool faulted = record.killed_ns != 0;
  for (const CallRecord& call : record.calls)
    for (const FaultEvent& fault : call.faults) {
      faulted = true;
      if (fault.error == 0) record.killed_ns = fault.time_ns;
    }
  if ((m_step.kill || m_step.fail) && !faulted && answered() && !m_run.stopped())
    record.missed_its_point = true;
}

}  // namespace tunecheck
