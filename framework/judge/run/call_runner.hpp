#pragma once
// Runs tuned calls: makes the arguments, asks the adapter, reads what observers saw, compares.
#include <functional>

#include "harness/kernel/tensor_file.hpp"
#include "harness/process/watched_process.hpp"
#include "judge/checks/record.hpp"
#include "judge/run/scenario_runner.hpp"
#include "judge/scenario/scenario_settings.hpp"

namespace tunecheck {

/// The calls of one process, in order: run() or run_together() for each step, while the process is
/// running. Each writes the tensors, asks, gathers the evidence and compares; if the judge cannot
/// do one of these, the record says so in harness_error, what comes after is left out, and the
/// caller stops. A call that the tuner does not answer is a complete record. One thread at a time.
class CallRunner {
 public:
  /// All must outlive the runner. `before_asking` is called once, when the first call is ready to
  /// be asked.
  CallRunner(const KernelDefinition& kernel, const RunContext& context, const Workspace& workspace,
             const ProcessStep& process, Stages& stages, std::function<void()> before_asking)
      : m_kernel(kernel),
        m_context(context),
        m_workspace(workspace),
        m_process(process),
        m_stages(stages),
        m_before_asking(std::move(before_asking)) {}

  /// `before_asking` is called once, when the next call is ready to be asked.
  void wait_before_next(std::function<void()> before_asking) {
    m_before_asking = std::move(before_asking);
  }

  /// The process must be running.
  [[nodiscard]] CallRecord run(const CallStep& step, WatchedProcess& process);

  /// The calls of a group, asked in one request; see EvidenceReader for what each is told of what
  /// observers saw.
  [[nodiscard]] std::vector<CallRecord> run_together(const CallGroup& group,
                                                     WatchedProcess& process);

  /// After the process's end: have the arguments of calls that did not wait for a search changed
  /// since their answers? Their files are removed.
  [[nodiscard]] Result<void> look_again(std::vector<CallRecord>& records);

 private:
  // Only if the call did not wait for a search.
  struct Kept {
    int call = 0;
    std::vector<TensorFile> files;
  };
  static Result<void> compare_later(const std::vector<TensorFile>& files, CallRecord& record);
  struct Asked {
    CallRecord record;
    std::vector<TensorFile> files;  ///< one per tensor
  };
  [[nodiscard]] Asked prepare(const CallStep& step);
  [[nodiscard]] static Result<void> check_size(const ResolvedCall& resolved);
  Result<void> prepare_tensors(const CallStep& step, Asked& asked);
  [[nodiscard]] std::map<std::string, std::optional<std::string>> variables_of(
      const CallStep& step) const;
  [[nodiscard]] Result<void> request(const CallStep& step, const ResolvedCall& resolved,
                                     Asked& asked) const;
  void gather(const std::vector<CallRecord*>& records, WatchedProcess& process);
  void finish(Asked& asked);
  [[nodiscard]] bool needs_own_measurement(const CallStep& step) const;
  void look_at_memory(CallRecord& record, std::int64_t DeviceMemory::*when) const;
  static void look_at_process(CallRecord& record, ProcessState ProcessStates::*when,
                              const WatchedProcess& process);
  Result<void> compare_tensors(Asked& asked);
  Result<Oracle::Answer> expected_contents(const Asked& asked);
  void ready_to_ask();

  const KernelDefinition& m_kernel;
  const RunContext& m_context;
  const Workspace& m_workspace;
  const ProcessStep& m_process;
  Stages& m_stages;
  std::function<void()> m_before_asking;
  int m_calls = 0;
  std::vector<Kept> m_kept;
};

}  // namespace tunecheck
