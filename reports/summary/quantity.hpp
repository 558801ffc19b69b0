#pragma once
// Quantities in words: three digits tell more than eight.
#include <string>

namespace tunecheck {

/// "1.23 us" of nanoseconds; other units as they are: "4 compiles".
[[nodiscard]] std::string quantity_text(double value, const std::string& unit);

/// 0.098 as "+9.8 %"; from three times as much on as a factor, "x 59.6": nobody can picture +5,858
/// %.
[[nodiscard]] std::string change_text(double change);

/// A sentence that was stored, in which large percentages become factors: of "5858.3 % slower"
/// "59.6 times as long", and of "+6902.9 %" "x 70".
[[nodiscard]] std::string with_factors(const std::string& text);

}  // namespace tunecheck
