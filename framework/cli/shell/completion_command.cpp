// tunecheck completion, tunecheck man: what shells and man(1) read.
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/shell/completion_scripts.hpp"
#include "cli/shell/completion_words.hpp"
#include "cli/shell/man_page.hpp"
#include "cli/usage.hpp"
#include "core/files.hpp"
#include "core/info.hpp"

namespace tunecheck::cli {
namespace {

namespace fs = std::filesystem;

struct ManArguments {
  std::vector<std::string> command;
  std::string out;
};

int print_script(const std::string& shell) {
  const auto script = completion_script(shell);
  if (!script)
    return report({ErrorKind::bad_input,
                   unknown_word_message("shell", shell, completion_shells()),
                   {},
                   0,
                   "SHELL"});
  print(*script);
  return held;
}

Result<const CLI::App*> find_command(CLI::App& app, const std::vector<std::string>& words) {
  CLI::App* command = &app;
  for (const std::string& word : words) {
    std::vector<std::string> known;
    CLI::App* found = nullptr;
    for (CLI::App* const inner : command->get_subcommands(nullptr)) {
      known.push_back(inner->get_name());
      if (inner->get_name() == word) found = inner;
    }
    if (found == nullptr)
      return failure(Error{ErrorKind::bad_input,
                           known.empty() ? "expected no word behind it, found \"" + word + "\""
                                         : unknown_word_message("command", word, known),
                           {},
                           0,
                           {}});
    command = found;
  }
  return command;
}

// Every page, as man finds them in a folder of its path.
Result<void> write_pages(CLI::App& app, const fs::path& folder) {
  TUNECHECK_CHECK(create_folders(folder));
  for (const CLI::App* const command : all_commands(app))
    TUNECHECK_CHECK(
        write_file_atomically(folder / (man_page_name(*command) + ".1"), man_page(*command)));
  return {};
}

int print_page(CLI::App& app, const ManArguments& arguments) {
  if (!arguments.out.empty()) {
    if (!arguments.command.empty())
      return report({ErrorKind::bad_input, "expected no command next to it", {}, 0, "--out"});
    const auto written = write_pages(app, arguments.out);
    return written ? held : report(written.error());
  }
  const auto command = find_command(app, arguments.command);
  if (!command) return report(command.error());
  print(man_page(**command));
  return held;
}

}  // namespace

void add_completion_command(CLI::App& app, Action& action) {
  const auto shell = std::make_shared<std::string>();
  CLI::App& command = *app.add_subcommand("completion", "Print what a shell needs to complete");
  command.add_option("SHELL", *shell, "\"bash\", \"fish\" or \"zsh\"")->required()->type_name("");
  set_examples(command,
               "  source <(tunecheck completion bash)\n"
               "  tunecheck completion zsh > ~/.zfunc/_tunecheck\n"
               "  tunecheck completion fish > ~/.config/fish/completions/tunecheck.fish\n");
  command.callback([=, &action] { action = [=] { return print_script(*shell); }; });
}

void add_man_command(CLI::App& app, Action& action) {
  const auto arguments = std::make_shared<ManArguments>();
  CLI::App& command = *app.add_subcommand("man", "Print a page for man(1)");
  command
      .add_option("COMMAND", arguments->command,
                  "A command, such as \"run\" or \"kernels prove\"; tunecheck itself if not given")
      ->type_name("");
  command.add_option("--out", arguments->out, "Folder that gets the pages of all commands")
      ->check(not_empty("a folder"))
      ->type_name("DIR");
  set_examples(command,
               "  tunecheck man run | man -l -\n"
               "  tunecheck man --out ~/.local/share/man/man1\n");
  command.callback(
      [=, &app, &action] { action = [=, &app] { return print_page(app, *arguments); }; });
}

int complete_words(CLI::App& app, const std::vector<std::string>& words) {
  for (const CompletionWord& word : completions_of(app, words))
    print(fmt::format("{}\t{}\n", word.word, word.meaning));
  return flushed(held);
}

}  // namespace tunecheck::cli
