#pragma once
// Wrong results that a kernel's comparison must reject.
#include <functional>

#include "harness/kernel/oracle.hpp"
#include "harness/kernel/tensor_file.hpp"
#include "result/proof_result.hpp"

namespace tunecheck {

/// Plants each wrong result into the tensors' memory and compares it as a call's result would be.
/// `expected` are the right contents; `twice_applied` gives those after two launches.
[[nodiscard]] std::vector<ProofResult::Rejection> reject_wrong_results(
    const KernelDefinition& kernel, const std::vector<TensorFile>& tensors,
    const TensorContents& expected, const std::function<Result<TensorContents>()>& twice_applied);

}  // namespace tunecheck
