#pragma once
// Which values a case of a proof gives to tensors, within what the kernel file declares for them.
#include <string>
#include <vector>

#include "core/dtype.hpp"
#include "core/fill.hpp"
#include "core/kernel.hpp"
#include "harness/kernel/proof_choice.hpp"

namespace tunecheck {

/// Indices of the tensors that a kernel reads and that may have values of either sign: of floating
/// dtype with fill `normal`, or `integers` from below 0 to above 0. Where there is none, those of
/// signed whole numbers: next to floating values these are rather indices than data.
[[nodiscard]] std::vector<std::size_t> tensors_of_either_sign(const KernelDefinition& kernel,
                                                              const std::string& size,
                                                              const std::vector<DType>& dtypes);

/// Indices of the tensors that a kernel reads and that hold integers of a range.
[[nodiscard]] std::vector<std::size_t> tensors_with_ends(const KernelDefinition& kernel,
                                                         const std::string& size);

/// One fill per tensor; an error for an expression that has no value at the size.
[[nodiscard]] Result<std::vector<Fill>> fills_for(const ProofChoice& choice,
                                                  const KernelDefinition& kernel);

}  // namespace tunecheck
