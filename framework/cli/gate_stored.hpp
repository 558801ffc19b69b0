#pragma once
#include "cli/gate_session.hpp"
#include "core/result.hpp"
#include "gate/rule/gate_result.hpp"

namespace tunecheck::cli {

/// The session of a build against a stored run, GateArguments::against.
[[nodiscard]] Result<gate::GateResult> against_stored(const GateArguments& arguments);

}  // namespace tunecheck::cli
