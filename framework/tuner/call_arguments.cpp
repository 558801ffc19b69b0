#include "tuner/call_arguments.hpp"

#include <algorithm>

namespace tunecheck {

std::vector<TensorRole> tensor_roles(const KernelDefinition& kernel) {
  std::vector<TensorRole> roles;
  for (const TensorParameter& tensor : kernel.tensors)
    roles.push_back(
        {tensor.name, tensor.access, kernel.restores(tensor.name), kernel.resets(tensor.name)});
  return roles;
}

void RealCall::prepare(std::span<const TensorRole> roles, const LaunchArguments& arguments,
                       CallKind /*kind*/) const {
  for (std::size_t i = 0; i < roles.size(); ++i)
    if (roles[i].resets) arguments.where().fill_zero(arguments.tensors[i], arguments.stream);
}

bool StandardRealCall::prepares_hits(std::span<const TensorRole> roles) const {
  return std::any_of(roles.begin(), roles.end(),
                     [](const TensorRole& role) { return role.resets; });
}

}  // namespace tunecheck
