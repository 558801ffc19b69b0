#pragma once
// What a launch must have found in the arguments.
#include <cstddef>
#include <string>

#include "judge/checks/record.hpp"

namespace tunecheck {

/// The digest of tensor number `tensor` of the kernel that a launch of the call must have seen;
/// empty where any content will do. `real` is the launch on the caller's arguments.
[[nodiscard]] std::string expected_digest(const CheckContext& context, std::size_t tensor,
                                          bool real);

}  // namespace tunecheck
