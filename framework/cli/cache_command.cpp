// tunecheck cache: a program of its own, since this one must not know the tuner.
#include <cerrno>
#include <string_view>
#include <unistd.h>
#include <vector>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "core/files.hpp"
#include "core/resources.hpp"

namespace tunecheck::cli {

void add_cache_command(CLI::App& app) {
  app.add_subcommand("cache", "Inspect the reference tuner's cache folder, and clean it up");
}

int run_cache_program(char** arguments) {
  const std::string program = (program_folder() / "tunecheck-cache").string();
  (void)::execv(program.c_str(), arguments);
  return report(
      {ErrorKind::machine, "cannot start " + program + ": " + last_system_error(), {}, 0, {}});
}

}  // namespace tunecheck::cli
