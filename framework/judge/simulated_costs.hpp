#pragma once
// What the configs of a kernel cost on the simulated device: known, where others must measure.
#include "judge/record.hpp"
#include "judge/scenario_runner.hpp"

namespace tunecheck {

/// The undisturbed time of every config of the request's space that gives right results.
[[nodiscard]] OwnMeasurement simulated_costs(const KernelDefinition& kernel,
                                             const protocol::CallRequest& request,
                                             const RunContext& context);

}  // namespace tunecheck
