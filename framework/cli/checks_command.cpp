// tunecheck checks: what questions scenarios can ask.
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "judge/checks/table/check.hpp"
#include "reports/terminal/terminal_page.hpp"

namespace tunecheck::cli {
namespace {

int list_checks() {
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
  command.add_subcommand("list", "Names and meanings, by family")->callback([&action] {
    action = list_checks;
  });
}

}  // namespace tunecheck::cli
