#pragma once
// The pages of HTML reports without their data. reports/html holds its source; where Node.js was
// there, the build made them a part of the program.
#include <string>
#include <string_view>

#include "core/result.hpp"

namespace tunecheck {

/// What stands where the blocks of data belong.
inline constexpr std::string_view html_place_of_data = "<!--tunecheck:data-->";

/// "" where the program was built without it.
[[nodiscard]] std::string html_template();
/// The page "State of autotuners", likewise.
[[nodiscard]] std::string html_state_template();

/// What is said where they are "".
[[nodiscard]] Error built_without_pages();

}  // namespace tunecheck
