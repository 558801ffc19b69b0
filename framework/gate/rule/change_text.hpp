#pragma once
// Changes as findings tell them. Each is the logarithm of a ratio.
#include <string>

namespace tunecheck::gate {

/// "4.1 % slower"; from a factor of 3 on "59.6 times as long".
[[nodiscard]] std::string described(double change);
/// "at most 4.1 % slower", "at least 4.1 % faster".
[[nodiscard]] std::string bounded(double bound);

}  // namespace tunecheck::gate
