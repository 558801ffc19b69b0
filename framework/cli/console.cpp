#include "cli/console.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>

#include <sys/ioctl.h>

#include "cli/config/config_file.hpp"
#include "core/command.hpp"
#include "core/files.hpp"
#include "core/plain_text.hpp"
#include "core/resources.hpp"
#include "core/shell.hpp"
#include "core/text.hpp"

namespace tunecheck::cli {
namespace {

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

// The shell may find another tunecheck, or none.
std::string program_here() {
  const std::filesystem::path own = program_folder() / "tunecheck",
                              found = find_program("tunecheck");
  std::error_code error;
  return std::filesystem::equivalent(own, found, error) ? "" : shell_quoted(own.string());
}

// As other programs read it: services that show colours say so.
bool is_forced() {
  const std::string_view forced = variable("FORCE_COLOR");
  return !forced.empty() && forced != "0";
}

// The width of a terminal, within what people can read; 80 columns elsewhere. COLUMNS says another
// one, as it does for other programs: a shell does not export it of its own accord.
std::size_t width_here() {
  constexpr std::size_t usual = 80, least = 60, most = 160;
  if (const auto columns = parse_number(variable("COLUMNS")); columns && *columns >= 1)
    return static_cast<std::size_t>(
        std::clamp(*columns, static_cast<double>(least), static_cast<double>(most)));
  winsize size{};
  if (!stdout_is_terminal() || ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
    return usual;
  return std::clamp<std::size_t>(size.ws_col, least, most);
}

}  // namespace

bool stdout_is_terminal() {
  return ::isatty(STDOUT_FILENO) == 1 && variable("TERM") != "dumb";
}

TerminalOptions terminal_options(const std::filesystem::path& out) {
  TerminalOptions options;
  options.colour = variable("NO_COLOR").empty() && (stdout_is_terminal() || is_forced());
  options.width = width_here();
  options.out = out;
  options.program = program_here();
  return options;
}

void print(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

int report(const Error& found) {
  std::fflush(stdout);
  const Error error = with_root(with_place(found));
  const std::string line = printable_line(error.text());
  std::fprintf(stderr, "%s%s\n", error.file.empty() ? "tunecheck: " : "", line.c_str());
  return status_of(error);
}

int flushed(int status) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  std::fprintf(stderr, "tunecheck: cannot write to stdout: %s\n", last_system_error().c_str());
  return untrusted;
}

}  // namespace tunecheck::cli
