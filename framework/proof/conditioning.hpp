#pragma once
// Whether a case asks for digits that no kernel can have.
#include "harness/kernel/oracle.hpp"
#include "harness/kernel/proof_case.hpp"

namespace tunecheck {

/// True where the reference's results stay within half the tolerance if every element of floating
/// dtype that is not only written changes by a few of float's last digits, up or down. They do not
/// where a difference of equal numbers is divided by nearly nothing: a channel of one value has no
/// variance, and what normalizes it shows its kernel's rounding and nothing else. Also false where
/// the reference fails. `at` has asked the reference.
[[nodiscard]] bool is_well_conditioned(const KernelDefinition& kernel, const ProofCase& at,
                                       Oracle& oracle);

}  // namespace tunecheck
