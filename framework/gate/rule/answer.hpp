#pragma once
// The gate's answers.
#include <string_view>

namespace tunecheck::gate {

/// In the order in which they count when several are joined: later ones hide earlier ones.
enum class Answer {
  pass,          ///< surely less slow than the tolerance, and not known to be slower than delta
  improved,      ///< surely faster by more than delta
  inconclusive,  ///< too much scatter to say
  regression,    ///< surely slower by more than delta; or one more of what is counted; or the head
                 ///< fails
  invalid,       ///< nothing can be said: bad samples, a base that fails, a canary answered wrongly
};

/// "pass", "improved", ...
[[nodiscard]] std::string_view to_string(Answer answer);

}  // namespace tunecheck::gate
