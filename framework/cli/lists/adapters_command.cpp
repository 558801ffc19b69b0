// tunecheck adapters, tunecheck mutants: which tuners can be judged, and which bugs planted.
#include <memory>

#include <fmt/format.h>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/lists/listed.hpp"
#include "cli/usage.hpp"
#include "core/resources.hpp"
#include "reports/stored/list_json.hpp"
#include "reports/terminal/terminal_page.hpp"

namespace tunecheck::cli {
namespace {

struct MutantArguments {
  std::string adapter = "reference";
  bool as_json = false;
};

int list_adapters(bool as_json) {
  const auto adapters = read_adapters(find_resources().adapters);
  if (!adapters) return report(adapters.error());
  const listed::Adapters list = listed_adapters(*adapters);
  if (as_json) {
    print(list_json(list));
    return held;
  }
  const TerminalOptions options = terminal_options();
  Page page(options);
  for (const listed::Adapter& adapter : list.adapters)
    page.entry(adapter.name, 20, adapter.summary, Style::strong);
  print(page.text());
  return held;
}

int list_planted(const MutantArguments& arguments) {
  const auto list = listed_mutants(arguments.adapter);
  if (!list) return report(list.error());
  if (arguments.as_json) {
    print(list_json(*list));
    return held;
  }
  const TerminalOptions options = terminal_options();
  Page page(options);
  for (const listed::Mutant& mutant : list->mutants) {
    page.line(mutant.adapter, Style::strong);
    page.entry("", 4, mutant.summary);
  }
  print(page.text());
  return held;
}

}  // namespace

void add_adapters_command(CLI::App& app, Action& action) {
  const auto as_json = std::make_shared<bool>(false);
  CLI::App& command = *app.add_subcommand("adapters", "List the tuners that can be judged");
  command.require_subcommand(1);
  CLI::App& list = *command.add_subcommand("list", "Names, as --adapter takes them, and summaries");
  add_json(list, *as_json);
  list.callback([=, &action] { action = [=] { return list_adapters(*as_json); }; });
}

void add_mutants_command(CLI::App& app, Action& action) {
  const auto arguments = std::make_shared<MutantArguments>();
  CLI::App& command =
      *app.add_subcommand("mutants", "List the bugs that can be planted in a tuner");
  command.require_subcommand(1);
  CLI::App& list = *command.add_subcommand("list", "Names, as --adapter takes them, and meanings");
  list.add_option("--adapter", arguments->adapter,
                  "The tuner, if its adapter can plant bugs; \"reference\" if not given")
      ->type_name("NAME");
  add_json(list, arguments->as_json);
  set_examples(list,
               "  tunecheck mutants list\n"
               "  tunecheck mutants list --adapter fftw --json\n");
  list.callback([=, &action] { action = [=] { return list_planted(*arguments); }; });
}

}  // namespace tunecheck::cli
