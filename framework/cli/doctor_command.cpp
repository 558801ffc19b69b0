// tunecheck doctor: what is here, what is missing, and how to get it.
#include <algorithm>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/doctor.hpp"
#include "cli/usage.hpp"
#include "reports/terminal/terminal_page.hpp"

namespace tunecheck::cli {
namespace {

void write(Page& page, const Finding& finding) {
  constexpr std::size_t indent = 30;
  const bool ok = finding.state == Finding::State::ok;
  const bool missing = finding.state == Finding::State::missing;
  const std::string_view word = ok ? "ok        " : missing ? "MISSING   " : "optional  ";
  page.entry(std::string(word) + finding.what, indent, finding.text,
             ok        ? Style::plain
             : missing ? Style::bad
                       : Style::warning);
  if (!ok) page.whole_entry("", 10, "to fix: " + finding.remedy);
}

int examine() {
  const TerminalOptions options = terminal_options();
  Page page(options);
  page.line("tunecheck " + version(), Style::strong);
  const std::vector<Finding> findings = examine_machine();
  for (const Finding& finding : findings)
    write(page, finding);
  const bool works = std::none_of(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.state == Finding::State::missing;
  });
  page.line(works ? "`tunecheck run` can work here" : "`tunecheck run` cannot work here",
            works ? Style::good : Style::bad);
  print(page.text());
  return works ? held : untrusted;
}

}  // namespace

void add_doctor_command(CLI::App& app, Action& action) {
  CLI::App& command =
      *app.add_subcommand("doctor", "Show what is installed, what is missing and how to get it");
  command.callback([&action] { action = examine; });
}

}  // namespace tunecheck::cli
