#pragma once
// Command lines that a person can paste.
#include <string>
#include <string_view>

namespace tunecheck {

/// One word of a shell's command line: as it is where that is safe, else in single quotes.
[[nodiscard]] std::string shell_quoted(std::string_view argument);

}  // namespace tunecheck
