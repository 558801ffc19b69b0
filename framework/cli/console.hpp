#pragma once
// Standard output and error: results go to the one, mistakes to the other.
#include <filesystem>
#include <string_view>

#include "core/exit_status.hpp"
#include "core/result.hpp"
#include "reports/terminal/terminal.hpp"

namespace tunecheck::cli {

using namespace status;

/// True where stdout is a terminal that can move its cursor.
[[nodiscard]] bool stdout_is_terminal();

/// Colour on a terminal, unless NO_COLOR is set to anything but "" (no-color.org); the meaning of
/// every check.
[[nodiscard]] TerminalOptions terminal_options(const std::filesystem::path& out = {});

/// To stdout as it is.
void print(std::string_view text);

/// One printable line to stderr; returns the error's exit status.
int report(const Error& error);

/// Writes out what stdout holds back. `status`, or untrusted where stdout cannot take it (a full
/// disk): results that nobody got must not look like success.
int flushed(int status);

}  // namespace tunecheck::cli
