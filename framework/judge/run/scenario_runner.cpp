#include "judge/run/scenario_runner.hpp"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <deque>
#include <thread>

#include <fmt/format.h>

#include "harness/process/evidence_watch.hpp"
#include "judge/run/files_of_process.hpp"
#include "judge/run/process_runner.hpp"

namespace tunecheck {
namespace {

// Runs the steps of one scenario, in their order, and records. run() is called once. It stops at
// the first thing that this machine or the judge cannot do; the record then ends there, and what it
// holds is judged all the same. If a process missed the point at which it was to be killed, the
// cache folder is not what the next step supposes: steps are skipped until one clears or restores
// it. Nothing is undone at the end. What was written lies in the workspace.
class ScenarioRunner {
 public:
  ScenarioRunner(const Scenario& scenario, const KernelDefinition& kernel,
                 const RunContext& context, Workspace& workspace)
      : m_scenario(scenario),
        m_kernel(kernel),
        m_context(context),
        m_workspace(workspace),
        m_remotes(workspace.folder()),
        m_exchange(workspace.folder()) {
    m_run.record.scenario = &scenario;
    m_run.record.kernel = &kernel;
    m_run.record.adapter = context.adapter;
    m_run.record.backend = context.backend;
  }

  ScenarioRun run() {
    for (const auto& step : m_scenario.steps) {
      if (!m_run.unsupported.empty() || !m_run.harness_error.empty()) break;
      if (gives_known_cache(step)) m_is_cache_known = true;
      if (!m_is_cache_known) continue;
      if (const auto* const process = std::get_if<ProcessStep>(&step))
        run_process(*process);
      else if (const auto* const group = std::get_if<ProcessGroup>(&step))
        run_group(*group);
      else if (const auto* const touch = std::get_if<TouchStep>(&step))
        note(m_workspace.touch(*touch, m_kernel));
      else if (const auto* const remote = std::get_if<RemoteStep>(&step))
        note(m_remotes.damage(remote->damage));
      else if (const auto* const exchange = std::get_if<ExchangeStep>(&step))
        note(m_exchange.damage(exchange->kind, exchange->damage, exchange->at_percent));
      else
        note(act(std::get<CacheStep>(step)));
    }
    if (m_run.unsupported.empty()) m_run.unsupported = what_was_missed();
    if (is_one_version()) m_run.record.processes.clear();
    return std::move(m_run);
  }

 private:
  // What stands in the cache folder then does not depend on what came before.
  template <class Step>
  static bool gives_known_cache(const Step& step) {
    const auto* const cache = std::get_if<CacheStep>(&step);
    return cache != nullptr &&
           (cache->kind == CacheAction::Kind::clear || cache->kind == CacheAction::Kind::restore);
  }

  Result<void> act(const CacheStep& step) {
    if (step.of_process.empty()) return m_workspace.act(step, *m_context.adapter);
    CacheAction action = step;
    TUNECHECK_TRY(const FolderSnapshot now, m_workspace.cache_snapshot());
    TUNECHECK_TRY(action.among, files_made_by(*m_run.record.process(step.of_process), now,
                                              glob_of(step.glob, *m_context.adapter)));
    return m_workspace.act(action, *m_context.adapter);
  }

  // A tuner that works in another way does not come by every point: of that it has shown nothing.
  [[nodiscard]] std::string what_was_missed() const {
    std::string first;
    std::size_t missed = 0;
    for (const ProcessRecord& process : m_run.record.processes) {
      if (!process.missed_its_point) continue;
      const ProcessStep& step = *process.step;
      if (++missed == 1)
        first = fmt::format("process {} never reached {}", step.name,
                            step.kill ? step.kill->text : step.fail->text);
    }
    if (missed < 2) return first;
    return fmt::format("{}, and {} more never reached theirs", first, missed - 1);
  }

  void note(const Result<void>& result) {
    ProcessRun run;
    run.note(result);
    keep_troubles(run);
  }

  void keep_troubles(const ProcessRun& run) {
    if (m_run.unsupported.empty()) m_run.unsupported = run.unsupported;
    if (m_run.harness_error.empty()) m_run.harness_error = run.harness_error;
  }

  void keep(ProcessRun run) {
    keep_troubles(run);
    // It has stored what it should not have: what comes next supposes another folder.
    if (run.record.missed_its_point) m_is_cache_known = false;
    m_run.stages += run.stages;
    compare_versions(run.record);
    m_run.record.processes.push_back(std::move(run.record));
  }

  // Then nothing that its processes did says anything about two versions.
  bool is_one_version() const { return !m_own_tuner.empty() && m_own_tuner == m_other_tuner; }

  void compare_versions(const ProcessRecord& record) {
    const TunerVersion version = record.step->settings.version;
    if (version == TunerVersion::own) m_own_tuner = record.tuner;
    if (version == TunerVersion::other) m_other_tuner = record.tuner;
    if (is_one_version())
      m_run.unsupported = fmt::format(
          "the other version of the tuner is the judged one, {}: expected another", m_own_tuner);
  }

  ProcessRunner runner(const ProcessStep& step, const ProcessGroup* group) {
    return {m_scenario, m_kernel, m_context, m_workspace,  m_remotes,
            m_exchange, step,     group,     ++m_processes};
  }

  void run_process(const ProcessStep& step) {
    ProcessRunner process = runner(step, nullptr);
    process.start({});
    keep(process.run({}));
  }

  void run_group(const ProcessGroup& group) {
    std::vector<std::atomic<bool>> ended(group.processes.size());
    std::deque<ProcessRunner> processes;
    for (const ProcessStep& step : group.processes)
      processes.push_back(runner(step, &group));
    for_each_at_once(processes, [&](ProcessRunner& process, std::size_t i) {
      process.start([&group, &ended, i] { return is_waited_for(group, i, ended); });
    });
    std::barrier everybody(static_cast<std::ptrdiff_t>(processes.size()));
    std::vector<ProcessRun> runs(processes.size());
    for_each_at_once(processes, [&](ProcessRunner& process, std::size_t i) {
      runs[i] = process.run({.first =
                                 [&] {
                                   everybody.arrive_and_wait();
                                   wait_for_another(group, i, ended);
                                 },
                             .at_barrier = [&] { everybody.arrive_and_wait(); }});
      ended[i] = true;
      everybody.arrive_and_drop();  // nobody waits for it at a barrier that it never came to
    });
    for (ProcessRun& run : runs)
      keep(std::move(run));
  }

  // By one that has not ended.
  static bool is_waited_for(const ProcessGroup& group, std::size_t index,
                            const std::vector<std::atomic<bool>>& ended) {
    for (std::size_t i = 0; i < group.processes.size(); ++i)
      if (!ended[i] && group.processes[i].waits_for == group.processes[index].name) return true;
    return false;
  }

  // Until the process that this one waits for has been seen to work, or has ended.
  void wait_for_another(const ProcessGroup& group, std::size_t index,
                        const std::vector<std::atomic<bool>>& ended) const {
    const std::string& name = group.processes[index].waits_for;
    if (name.empty()) return;
    const auto other = std::find_if(group.processes.begin(), group.processes.end(),
                                    [&](const ProcessStep& step) { return step.name == name; });
    EvidenceWatch watch(m_workspace.evidence_file(name), m_kernel.name);
    while (watch.compiles() + watch.launches() == 0 &&
           !ended[static_cast<std::size_t>(other - group.processes.begin())]) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      watch.look();
    }
  }

  // One thread each.
  template <class Work>
  static void for_each_at_once(std::deque<ProcessRunner>& processes, const Work& work) {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < processes.size(); ++i)
      threads.emplace_back([&, i] { work(processes[i], i); });
  }

  const Scenario& m_scenario;
  const KernelDefinition& m_kernel;
  const RunContext& m_context;
  Workspace& m_workspace;
  RemoteSite m_remotes;
  const ExchangeSite m_exchange;
  ScenarioRun m_run;
  int m_processes = 0;           // begun
  std::string m_own_tuner;       // with its version, as the last such process said
  std::string m_other_tuner;     // likewise, of the other version
  bool m_is_cache_known = true;  // the cache folder is what the next step supposes
};

}  // namespace

ScenarioRun run_steps(const Scenario& scenario, const KernelDefinition& kernel,
                      const RunContext& context, Workspace& workspace) {
  return ScenarioRunner(scenario, kernel, context, workspace).run();
}

}  // namespace tunecheck
