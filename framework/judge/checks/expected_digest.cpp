#include "judge/checks/expected_digest.hpp"

namespace tunecheck {

std::string expected_digest(const CheckContext& context, std::size_t tensor, bool real) {
  const KernelDefinition& kernel = *context.scenario.kernel;
  const TensorParameter& parameter = kernel.tensors[tensor];
  const TensorRecord& record = context.call.tensors[tensor];
  const bool restored = kernel.restores(parameter.name);
  if (context.call.step->settings.hook_would_zero(parameter.name)) return record.digest_zero;
  if (parameter.access == Access::write && !restored) return {};
  if (kernel.resets(parameter.name)) return real ? "" : record.digest_zero;
  if (parameter.access == Access::scratch && !restored) return {};
  return record.digest_before;
}

}  // namespace tunecheck
