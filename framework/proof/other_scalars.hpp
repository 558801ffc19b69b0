#pragma once
// With which further values a kernel's scalars are asked: a value that is written into the source
// is right for one value only.
#include <map>
#include <string>
#include <vector>

#include "harness/kernel/oracle.hpp"
#include "harness/kernel/proof_case.hpp"

namespace tunecheck {

struct OtherScalars {
  /// By scalar; each differs from the kernel file's value. Without an entry where there is none.
  std::map<std::string, std::vector<double>> values;
  std::vector<std::string> notes;  ///< why a scalar has none, or why its values show little
};

/// The ends of the range that the kernel file declares. Where it declares none: a value of the same
/// sign with which the reference's result differs by more than ten tolerances, and for a whole
/// number its neighbour and what lies just below each size, as far as the reference bears them.
/// `plain` is a case on the kernel file's values that has asked the reference.
[[nodiscard]] OtherScalars other_scalars(const KernelDefinition& kernel, const ProofCase& plain,
                                         Oracle& oracle);

}  // namespace tunecheck
