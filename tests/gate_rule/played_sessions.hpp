#pragma once
// Sessions whose right answer is known, as real machines might have played them.
#include <vector>

#include "gate/rule/real_session.hpp"

namespace tunecheck::test {

/// A session of an idle machine that passed: number 1 of equal builds.
[[nodiscard]] gate::RealSession played_session();

/// As many of `session`, numbered from its own number on.
[[nodiscard]] std::vector<gate::RealSession> played_sessions(gate::RealSession session,
                                                             std::size_t count);

/// Both, one behind the other.
[[nodiscard]] std::vector<gate::RealSession> both(std::vector<gate::RealSession> first,
                                                  const std::vector<gate::RealSession>& second);

}  // namespace tunecheck::test
