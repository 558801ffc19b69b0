#pragma once
// What every config is asked at one size besides dense tensors of the kernel file's values.
#include <string>
#include <vector>

#include "harness/kernel/proof_case.hpp"
#include "proof/other_scalars.hpp"

namespace tunecheck {

/// Layouts with other strides, the ends of ranges, values of one sign, other scalars, other seeds,
/// and second launches in one process; of each what the kernel file leaves room for. `plain` is the
/// case that they depart from, `sizes` are those at which the kernel is proved, and `broadcast` are
/// the tensors that may be broadcast, by their places.
[[nodiscard]] std::vector<ProofChoice> further_choices(const KernelDefinition& kernel,
                                                       const ProofCase& plain,
                                                       const std::vector<std::string>& sizes,
                                                       const OtherScalars& scalars,
                                                       const std::vector<std::size_t>& broadcast);

}  // namespace tunecheck
