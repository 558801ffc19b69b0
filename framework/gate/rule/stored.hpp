#pragma once
// A time against one of an earlier session. What a machine does differently from one session to the
// next is in no bound, so that such a time can never be called slower: it passes, or it says that
// base and head have to be measured in turn.
#include <span>
#include <string>

#include "gate/rule/comparison.hpp"

namespace tunecheck::gate {

/// The fewest stored processes that anything is compared with: one does not tell how much the next
/// one differs.
inline constexpr std::size_t least_stored = 2;

/// `before` and `present` are the medians of processes, positive and finite, in one unit. The
/// answer is pass or inconclusive. `decides` is the command that would tell, for the reason.
[[nodiscard]] Finding compare_with_stored(std::span<const double> before,
                                          std::span<const double> present, const Settings& settings,
                                          const std::string& decides);

}  // namespace tunecheck::gate
