// tunecheck checks: what questions scenarios can ask.
#include <memory>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/lists/listed.hpp"
#include "judge/checks/table/check.hpp"
#include "reports/stored/list_json.hpp"
#include "reports/terminal/terminal_page.hpp"

namespace tunecheck::cli {
namespace {

int list_checks(bool as_json) {
  if (as_json) {
    print(list_json(listed_checks()));
    return held;
  }
  const TerminalOptions options = terminal_options();
  Page page(options);
  std::string_view family;
  for (const Check& check : all_checks()) {
    if (check.family != family) page.line(check.family, Style::strong);
    family = check.family;
    page.entry(fmt::format("  {}", check.name), 32, check.summary);
  }
  print(page.text());
  return held;
}

}  // namespace

void add_checks_command(CLI::App& app, Action& action) {
  CLI::App& command = *app.add_subcommand("checks", "List the checks that scenarios can ask for");
  command.require_subcommand(1);
  const auto as_json = std::make_shared<bool>(false);
  CLI::App& list = *command.add_subcommand("list", "Names and meanings, by family");
  add_json(list, *as_json);
  list.callback([=, &action] { action = [=] { return list_checks(*as_json); }; });
}

}  // namespace tunecheck::cli
