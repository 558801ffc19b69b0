#pragma once
// Runs one tuned call: makes the arguments, asks the adapter, reads what observers saw, compares.
#include "judge/adapter_process.hpp"
#include "judge/record.hpp"
#include "judge/scenario_runner.hpp"
#include "judge/scenario_settings.hpp"
#include "judge/tensor_file.hpp"

namespace tunecheck {

/// The calls of one process, in order.
class CallRunner {
 public:
  /// All must outlive the runner.
  CallRunner(const Scenario& scenario, const KernelDefinition& kernel, const RunContext& context,
             const Workspace& workspace, const ProcessStep& process, Stages& stages)
      : m_scenario(scenario),
        m_kernel(kernel),
        m_context(context),
        m_workspace(workspace),
        m_process(process),
        m_stages(stages) {}

  [[nodiscard]] CallRecord run(const CallStep& step, AdapterProcess& adapter);

 private:
  Result<void> prepare(const CallStep& step, CallRecord& record);
  void request(const CallStep& step, const ResolvedCall& resolved, CallRecord& record) const;
  Result<void> begin_burst(CallRecord& record, const AdapterProcess& adapter) const;
  Result<void> end_burst(CallRecord& record, const AdapterProcess& adapter, std::int64_t wall_ns,
                         bool answered) const;
  Result<void> gather(CallRecord& record);
  Result<void> compare_tensors(CallRecord& record);
  Result<std::vector<std::vector<double>>> expected_contents(const CallRecord& record);

  const Scenario& m_scenario;
  const KernelDefinition& m_kernel;
  const RunContext& m_context;
  const Workspace& m_workspace;
  const ProcessStep& m_process;
  Stages& m_stages;
  std::vector<TensorFile> m_files;  ///< of the call in hand, one per tensor
  std::uint64_t m_evidence_read = 0;
  int m_calls = 0;
};

}  // namespace tunecheck
