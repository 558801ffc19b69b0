#pragma once
// A run of the history from a session of the gate.
#include "core/result.hpp"
#include "gate/history/run.hpp"
#include "gate/rule/gate_result.hpp"

namespace tunecheck::history {

/// What runs of such a session are of: "reference on cpu".
[[nodiscard]] std::string suite_of(const gate::GateResult& session);

/// Under which conditions a kernel of one side is measured, "" where there is no kernel.
[[nodiscard]] Fingerprint fingerprint_of(const gate::GateResult& session, gate::Side side,
                                         const std::string& kernel);

/// What the processes of one side gave so far, without canaries and processes that failed.
[[nodiscard]] std::vector<SampleSet> sample_sets_of(const gate::GateResult& session,
                                                    gate::Side side);

/// What the processes of one side gave. Canaries are left out, and so are processes that failed;
/// the fingerprint has what the session says of the machine, and of the kernels of that side. An
/// error where the session is not complete or is not to be trusted, or that side is a stored run.
[[nodiscard]] Result<MeasuredRun> run_of(const gate::GateResult& session, gate::Side side);

}  // namespace tunecheck::history
