// tunecheck cache: a program of its own, since this one must not know the tuner. This one reads its
// command line too, so that help, completion, man pages and mistakes are those of every command.
#include <algorithm>
#include <memory>
#include <unistd.h>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "core/files.hpp"
#include "core/resources.hpp"
#include "tuner/cache_usage/cache_usage.hpp"

namespace tunecheck::cli {
namespace {

// Does not return if it can be started.
int run_cache_program(std::vector<std::string> words) {
  const std::string program = (program_folder() / "tunecheck-cache").string();
  std::vector<char*> arguments;
  for (std::string& word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  (void)::execv(program.c_str(), arguments.data());
  return report(
      {ErrorKind::machine, "cannot start " + program + ": " + last_system_error(), {}, 0, {}});
}

}  // namespace

void add_cache_command(CLI::App& app, Action& action, const std::vector<std::string>& words) {
  const auto arguments = std::make_shared<cache::Arguments>();
  CLI::App& command = *app.add_subcommand(
      cache_command_name, "Inspect the reference tuner's cache folder, and clean it up");
  cache::describe_cache_usage(command, *arguments);
  command.callback([arguments, &action, &words] {
    action = [&words] {
      return run_cache_program(
          {std::find(words.begin(), words.end(), cache_command_name), words.end()});
    };
  });
}

}  // namespace tunecheck::cli
