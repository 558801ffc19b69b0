#pragma once
// A run of the history from a session of the gate.
#include "core/result.hpp"
#include "gate/gate_result.hpp"
#include "history/run.hpp"

namespace tunecheck::history {

/// What the processes of one side gave. Canaries are left out, and so are processes that failed;
/// the fingerprint has what the session says of the machine, and of the kernels of that side. An
/// error where the session is not complete or is not to be trusted.
[[nodiscard]] Result<MeasuredRun> run_of(const gate::GateResult& session, gate::Side side);

}  // namespace tunecheck::history
