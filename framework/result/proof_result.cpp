#include "result/proof_result.hpp"

#include <algorithm>

namespace tunecheck {

bool ProofResult::proved() const {
  const bool all_right = std::all_of(configs.begin(), configs.end(),
                                     [](const ConfigProof& proof) { return proof.right; });
  const bool all_rejected = std::all_of(
      rejections.begin(), rejections.end(),
      [](const Rejection& rejection) { return rejection.rejected || !rejection.applicable; });
  const bool any_rejected =
      std::any_of(rejections.begin(), rejections.end(),
                  [](const Rejection& rejection) { return rejection.rejected; });
  return error.empty() && nothing_ran.empty() && mistakes.empty() && !configs.empty() &&
         all_right && all_rejected && any_rejected;
}

}  // namespace tunecheck
