#pragma once
// Quantities in words: three digits tell more than eight.
#include <string>

namespace tunecheck {

/// "1.23 us" of nanoseconds; other units as they are: "4 compiles".
[[nodiscard]] std::string quantity_text(double value, const std::string& unit);

/// 0.098 as "+9.8 %"; from three times as much on as a factor, "x 59.6": nobody can picture +5,858
/// %.
[[nodiscard]] std::string change_text(double change);

}  // namespace tunecheck
