#pragma once
// Where all configs agree and the reference does not, the reference is what to look at first.
#include <span>
#include <string>

#include "harness/kernel/proof_case.hpp"

namespace tunecheck {

/// What is wrong with a case on which all configs give one result and the reference another, in
/// words; "" where that is not so. `outcomes` are those of all configs, each after `at.ask()`. One
/// config agrees with nobody. Results in which elements were never written, and tensors that no
/// launch changes, are the kernel's own mistakes.
[[nodiscard]] std::string suspect_reference(const KernelDefinition& kernel, const ProofCase& at,
                                            std::span<const ProofCase::Outcome* const> outcomes);

}  // namespace tunecheck
