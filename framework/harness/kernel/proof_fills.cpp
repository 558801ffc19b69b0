#include "harness/kernel/proof_fills.hpp"

#include <algorithm>

namespace tunecheck {
namespace {

// What is zeroed before the launch has no values of its own.
bool is_input(const KernelDefinition& kernel, const TensorParameter& tensor) {
  return (tensor.access == Access::read || tensor.access == Access::in_place) &&
         !kernel.resets(tensor.name);
}

bool has_either_sign(const Fill& fill, DType dtype) {
  if (dtype == DType::u8) return false;
  if (fill.kind == Fill::Kind::integers) return fill.low < 0 && fill.high > 0;
  return fill.kind == Fill::Kind::normal;
}

Fill of_sign(Fill fill, Fill::Sign sign) {
  fill.sign = sign;
  if (sign == Fill::Sign::negative)
    fill.high = -1;
  else
    fill.low = 1;
  return fill;
}

Fill::Sign sign_of(ProofChoice::Values values, bool is_first) {
  if (values == ProofChoice::Values::mixed_signs)
    return is_first ? Fill::Sign::negative : Fill::Sign::positive;
  return values == ProofChoice::Values::negative ? Fill::Sign::negative : Fill::Sign::positive;
}

// The indices for which `holds` of the tensor and its fill is true.
template <class Holds>
std::vector<std::size_t> inputs_where(const KernelDefinition& kernel, const std::string& size,
                                      Holds&& holds) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < kernel.tensors.size(); ++i) {
    const auto fill = kernel.fill_of(kernel.tensors[i], kernel.sizes.at(size));
    if (is_input(kernel, kernel.tensors[i]) && fill && holds(i, *fill)) found.push_back(i);
  }
  return found;
}

}  // namespace

std::vector<std::size_t> tensors_of_either_sign(const KernelDefinition& kernel,
                                                const std::string& size,
                                                const std::vector<DType>& dtypes) {
  const auto where = [&](bool floating) {
    return inputs_where(kernel, size, [&](std::size_t i, const Fill& fill) {
      return is_floating(dtypes[i]) == floating && has_either_sign(fill, dtypes[i]);
    });
  };
  std::vector<std::size_t> found = where(true);
  return found.empty() ? where(false) : found;
}

std::vector<std::size_t> tensors_with_ends(const KernelDefinition& kernel,
                                           const std::string& size) {
  return inputs_where(kernel, size, [](std::size_t, const Fill& fill) {
    return fill.kind == Fill::Kind::integers && fill.low < fill.high;
  });
}

Result<std::vector<Fill>> fills_for(const ProofChoice& choice, const KernelDefinition& kernel) {
  std::vector<Fill> fills;
  for (const TensorParameter& tensor : kernel.tensors) {
    TUNECHECK_TRY(const Fill fill, kernel.fill_of(tensor, kernel.sizes.at(choice.size)));
    fills.push_back(fill);
  }
  // So that kernels that add them in another order, or in float, find what the reference finds.
  const std::vector<DType> dtypes = kernel.variant(choice.variant);
  for (const std::size_t i : choice.broadcast)
    fills[i].in_eighths = is_floating(dtypes[i]);
  const ProofChoice::Values values = choice.values;
  if (values == ProofChoice::Values::declared) return fills;
  if (values == ProofChoice::Values::high_end || values == ProofChoice::Values::low_end) {
    for (const std::size_t i : tensors_with_ends(kernel, choice.size))
      fills[i].ends =
          values == ProofChoice::Values::high_end ? Fill::Ends::high_first : Fill::Ends::low_first;
    return fills;
  }
  const std::vector<std::size_t> free =
      tensors_of_either_sign(kernel, choice.size, kernel.variant(choice.variant));
  for (const std::size_t i : free)
    fills[i] = of_sign(fills[i], sign_of(values, i == free.front()));
  return fills;
}

}  // namespace tunecheck
