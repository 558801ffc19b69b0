#pragma once
// Which tensors may be broadcast without asking for digits that no kernel can have.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/kernel/oracle.hpp"
#include "harness/kernel/proof_case.hpp"

namespace tunecheck {

struct ToBroadcast {
  std::vector<std::size_t> tensors;  ///< by their places
  std::string note;                  ///< which others are not asked, and why; "" if there is none
};

/// Tensors that are only read, of random data: indices may have to differ. Left out are those with
/// which the reference's results move more than half the tolerance, and more than four times as far
/// as in `plain`, if each element of its arguments changes by some last digits, up or down. So it
/// is where a difference of equal numbers is divided by nearly nothing: a channel of one value has
/// no variance, and what normalizes it shows its kernel's rounding and nothing else. `plain` has
/// asked the reference; files are written below `folder`.
[[nodiscard]] Result<ToBroadcast> tensors_to_broadcast(const KernelDefinition& kernel,
                                                       const ProofCase& plain, std::uint64_t seed,
                                                       const std::filesystem::path& folder,
                                                       Oracle& oracle);

}  // namespace tunecheck
