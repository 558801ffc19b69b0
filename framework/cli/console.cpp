#include "cli/console.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>

#include "core/command.hpp"
#include "core/files.hpp"
#include "core/plain_text.hpp"
#include "core/resources.hpp"
#include "core/shell.hpp"

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

}  // namespace

bool stdout_is_terminal() {
  return ::isatty(STDOUT_FILENO) == 1 && variable("TERM") != "dumb";
}

TerminalOptions terminal_options(const std::filesystem::path& out) {
  TerminalOptions options;
  options.colour = stdout_is_terminal() && variable("NO_COLOR").empty();
  options.out = out;
  options.program = program_here();
  return options;
}

void print(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

int report(const Error& error) {
  std::fflush(stdout);
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
