#pragma once
// Runs one adapter process of a scenario, from its folders to its end.
#include <functional>
#include <optional>
#include <string>

#include "harness/process/watched_process.hpp"
#include "harness/remote/exchange_site.hpp"
#include "harness/remote/remote_site.hpp"
#include "judge/checks/record.hpp"
#include "judge/run/call_runner.hpp"
#include "judge/run/scenario_runner.hpp"

namespace tunecheck {

/// What came of it.
struct ProcessRun {
  ProcessRecord record;
  Stages stages;
  std::string unsupported;    ///< why this machine or this tuner cannot do it, "" if it can
  std::string harness_error;  ///< what the judge could not do, "" if nothing

  [[nodiscard]] bool stopped() const { return !unsupported.empty() || !harness_error.empty(); }
  /// An error of the kind unsupported is the former, any other the latter.
  void note(const Result<void>& result);
};

/// How a process of a group waits for the others. Empty for one that runs alone.
struct Meetings {
  /// Called once, whatever happens: when the first call is ready to be asked, or at the end.
  std::function<void()> first;
  /// Called when the call after a barrier is ready to be asked. A process that ends before is not
  /// to be waited for.
  std::function<void()> at_barrier;
};

/// One thread at a time; several runners may work at the same time where none of their processes
/// touches the kernel or the cache folder.
class ProcessRunner {
 public:
  /// All must outlive the runner. `remotes` is asked where the process has a remote cache. `group`
  /// is null for a process that runs alone; `number` is its place among the scenario's processes,
  /// from 1 on.
  ProcessRunner(const Scenario& scenario, const KernelDefinition& kernel, const RunContext& context,
                Workspace& workspace, RemoteSite& remotes, const ExchangeSite& exchange,
                const ProcessStep& step, const ProcessGroup* group, int number);

  /// Makes its folders, starts it, and waits for its answer to `hello`. If the process is to stand
  /// still, it does so while `still_needed` says so, if that is not empty: ProcessSetup.
  void start(std::function<bool()> still_needed);
  /// Its steps, and its end.
  [[nodiscard]] ProcessRun run(Meetings meetings);

 private:
  [[nodiscard]] ProcessSetup setup() const;
  [[nodiscard]] std::string trouble_and_last_words() const;
  Result<void> open_remote(ProcessSetup& setup);
  Result<void> open_exchange(ProcessSetup& setup);
  void gather_remote();
  void run_steps(Meetings meetings);
  void tell_of_missed_barrier(std::size_t steps_done);
  void gather_late(std::size_t calls);
  bool run_archive(const ArchiveStep& step);
  void end();
  [[nodiscard]] bool answered() const;
  [[nodiscard]] const AdapterInfo& adapter() const {
    return m_other ? *m_other : *m_context.adapter;
  }

  const Scenario& m_scenario;
  const KernelDefinition& m_kernel;
  const RunContext& m_context;
  Workspace& m_workspace;
  RemoteSite& m_remotes;
  const ExchangeSite& m_exchange;
  const ProcessStep& m_step;
  int m_number;
  std::unique_ptr<RemoteProxy> m_remote;  // null where the process has no remote cache
  std::optional<AdapterInfo> m_other;     // where the process is one of another version
  ProcessRun m_run;
  std::optional<WatchedProcess> m_process;
  std::optional<CallRunner> m_calls;       // once it has come to its steps
  std::optional<ArchiveRecord> m_archive;  // of the next call
};

}  // namespace tunecheck
