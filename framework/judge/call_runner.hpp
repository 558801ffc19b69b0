#pragma once
// Runs tuned calls: makes the arguments, asks the adapter, reads what observers saw, compares.
#include <functional>

#include "judge/adapter_process.hpp"
#include "judge/record.hpp"
#include "judge/scenario_runner.hpp"
#include "judge/scenario_settings.hpp"
#include "judge/tensor_file.hpp"

namespace tunecheck {

/// The calls of one process, in order. One thread at a time.
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

  [[nodiscard]] CallRecord run(const CallStep& step, AdapterProcess& adapter);

  /// The calls of a group, asked in one request. Observers see one process: the launches for the
  /// callers go to the calls one each, and all else that was seen to the call that says it tuned
  /// (to the first one, where none says so).
  [[nodiscard]] std::vector<CallRecord> run_together(const CallGroup& group,
                                                     AdapterProcess& adapter);

 private:
  struct Asked {
    CallRecord record;
    std::vector<TensorFile> files;  ///< one per tensor
  };
  [[nodiscard]] Asked prepare(const CallStep& step);
  Result<void> prepare_tensors(const CallStep& step, Asked& asked);
  void request(const CallStep& step, const ResolvedCall& resolved, Asked& asked) const;
  Result<Evidence> gather(CallRecord& record);
  void finish(Asked& asked);
  [[nodiscard]] bool needs_measurement(const CallStep& step) const;
  void look_at_memory(CallRecord& record, std::int64_t DeviceMemory::*when) const;
  Result<void> compare_tensors(Asked& asked);
  Result<Oracle::Answer> expected_contents(const Asked& asked);
  void ready_to_ask();
  Result<void> begin_burst(CallRecord& record, const AdapterProcess& adapter) const;
  Result<void> end_burst(CallRecord& record, const AdapterProcess& adapter, std::int64_t wall_ns,
                         bool answered) const;

  const KernelDefinition& m_kernel;
  const RunContext& m_context;
  const Workspace& m_workspace;
  const ProcessStep& m_process;
  Stages& m_stages;
  std::function<void()> m_before_asking;
  std::uint64_t m_evidence_read = 0;
  int m_calls = 0;
};

}  // namespace tunecheck
