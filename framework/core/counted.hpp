#pragma once
// Numbers of things in sentences.
#include <cstddef>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace tunecheck {

/// "1 scenario", "2 scenarios".
[[nodiscard]] inline std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace tunecheck
