#include "judge/run/simulated_costs.hpp"

#include "backend/sim/sim_backend.hpp"

namespace tunecheck {

OwnMeasurement simulated_costs(const KernelDefinition& kernel, const protocol::CallRequest& request,
                               const RunContext& context) {
  const auto configs = request.space.enumerate(to_variables(request.sizes));
  OwnMeasurement costs;
  costs.is_exact = true;
  if (!configs) {
    costs.trouble = configs.error().text();
    return costs;
  }
  const SimBackend device(SimConditions{context.seed, 0});
  CompileRequest compile;
  compile.kernel = &kernel;
  compile.sizes = request.sizes;
  for (const Config& config : *configs) {
    compile.config = config;
    if (const auto cost_ns = device.true_cost_ns(compile))
      costs.median_ns[to_string(config)] = *cost_ns;
  }
  if (costs.median_ns.empty()) costs.trouble = "no config gives right results";
  return costs;
}

}  // namespace tunecheck
