#include "core/kernel.hpp"

#include <algorithm>

namespace tunecheck {
namespace {

constexpr std::array<std::string_view, 4> access_names = {"read", "write", "in_place", "scratch"};

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Result<double> amount(const KernelDefinition& kernel, const std::string& expression,
                      const Sizes& sizes, const std::vector<DType>& dtypes) {
  if (expression.empty()) return 0;
  Variables variables = to_variables(sizes);
  for (std::size_t i = 0; i < kernel.tensors.size(); ++i)
    variables[kernel.tensors[i].name + "_bytes"] = static_cast<double>(size_of(dtypes[i]));
  return evaluate(expression, variables);
}

}  // namespace

std::optional<Access> parse_access(std::string_view word) {
  const auto found = std::find(access_names.begin(), access_names.end(), word);
  if (found == access_names.end()) return std::nullopt;
  return static_cast<Access>(found - access_names.begin());
}

std::string_view name_of(Access access) {
  return access_names.at(static_cast<std::size_t>(access));
}

Variables to_variables(const Sizes& sizes) {
  Variables variables;
  for (const auto& [name, value] : sizes)
    variables[name] = static_cast<double>(value);
  return variables;
}

const TensorParameter* KernelDefinition::tensor(std::string_view tensor_name) const {
  const auto found = std::find_if(tensors.begin(), tensors.end(),
                                  [&](const auto& tensor) { return tensor.name == tensor_name; });
  return found == tensors.end() ? nullptr : &*found;
}

bool KernelDefinition::restores(std::string_view tensor_name) const {
  return contains(restore_value, tensor_name);
}

bool KernelDefinition::resets(std::string_view tensor_name) const {
  return contains(reset_to_zero, tensor_name);
}

Result<Config> KernelDefinition::default_for(const Sizes& chosen) const {
  Config config;
  for (const auto& [parameter, expression] : default_config) {
    TUNECHECK_TRY(config[parameter], evaluate_size(expression, to_variables(chosen)));
  }
  return config;
}

Result<std::vector<std::int64_t>> KernelDefinition::shape_of(const TensorParameter& parameter,
                                                             const Sizes& chosen) const {
  std::vector<std::int64_t> shape;
  for (const std::string& dimension : parameter.shape) {
    TUNECHECK_TRY(const std::int64_t size, evaluate_size(dimension, to_variables(chosen)));
    shape.push_back(size);
  }
  return shape;
}

std::size_t KernelDefinition::variants() const {
  std::size_t most = 1;
  for (const TensorParameter& parameter : tensors)
    most = std::max(most, parameter.dtypes.size());
  return most;
}

std::vector<DType> KernelDefinition::variant(std::size_t index) const {
  std::vector<DType> dtypes;
  for (const TensorParameter& parameter : tensors)
    dtypes.push_back(parameter.dtypes[std::min(index, parameter.dtypes.size() - 1)]);
  return dtypes;
}

Result<Fill> KernelDefinition::fill_of(const TensorParameter& parameter,
                                       const Sizes& chosen) const {
  return resolve_fill(parameter.fill, to_variables(chosen));
}

Result<ScalarRange> KernelDefinition::range_of(const ScalarParameter& scalar,
                                               const Sizes& chosen) const {
  ScalarRange range;
  TUNECHECK_TRY(range.low, evaluate(scalar.low, to_variables(chosen)));
  TUNECHECK_TRY(range.high, evaluate(scalar.high, to_variables(chosen)));
  return range;
}

Result<double> KernelDefinition::bytes_for(const Sizes& chosen,
                                           const std::vector<DType>& dtypes) const {
  return amount(*this, bytes, chosen, dtypes);
}

Result<double> KernelDefinition::flops_for(const Sizes& chosen,
                                           const std::vector<DType>& dtypes) const {
  return amount(*this, flops, chosen, dtypes);
}

Result<GpuLaunchShape> KernelDefinition::gpu_launch(const Sizes& chosen,
                                                    const Config& config) const {
  if (!gpu) return failure(ErrorKind::bad_input, "the kernel \"{}\" has no gpu source", name);
  Variables variables = to_variables(chosen);
  for (const auto& [parameter, value] : config)
    variables[parameter] = static_cast<double>(value);
  GpuLaunchShape shape;
  for (std::size_t d = 0; d < gpu->grid.size(); ++d) {
    TUNECHECK_TRY(shape.grid.at(d), evaluate_size(gpu->grid[d], variables));
  }
  for (std::size_t d = 0; d < gpu->threads.size(); ++d) {
    TUNECHECK_TRY(shape.threads.at(d), evaluate_size(gpu->threads[d], variables));
  }
  if (!gpu->shared_bytes.empty()) {
    TUNECHECK_TRY(shape.shared_bytes, evaluate_size(gpu->shared_bytes, variables));
  }
  return shape;
}

}  // namespace tunecheck
