#pragma once
// What the configs of a kernel cost on the simulated device: known, where others must measure.
#include "judge/checks/record.hpp"
#include "judge/run/scenario_runner.hpp"

namespace tunecheck {

/// The undisturbed time of every config of the request's space that gives right results.
[[nodiscard]] OwnMeasurement simulated_costs(const KernelDefinition& kernel,
                                             const protocol::CallRequest& request,
                                             const RunContext& context);

}  // namespace tunecheck
