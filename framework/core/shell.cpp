#include "core/shell.hpp"

#include <algorithm>

namespace tunecheck {

std::string shell_quoted(std::string_view argument) {
  const auto harmless = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-./:=@%+,").find(c) != std::string_view::npos;
  };
  if (!argument.empty() && std::all_of(argument.begin(), argument.end(), harmless))
    return std::string(argument);
  std::string quoted = "'";
  for (const char c : argument)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + '\'';
}

}  // namespace tunecheck
