#pragma once
#include "gate/rule/gate_result.hpp"

namespace tunecheck::test {

/// A session with a benchmark of every answer, both canaries, counts, and a winner that changed.
[[nodiscard]] gate::GateResult mixed_gate();

}  // namespace tunecheck::test
