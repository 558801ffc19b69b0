// tunecheck scenarios: what scenarios there are, and can they be read?
#include <memory>

#include <fmt/format.h>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/lists/listed.hpp"
#include "cli/selection.hpp"
#include "cli/usage.hpp"
#include "core/device_kinds.hpp"
#include "core/resources.hpp"
#include "harness/process/adapter_info.hpp"
#include "judge/run/reach.hpp"
#include "judge/run/session.hpp"
#include "judge/scenario/coverage.hpp"
#include "reports/stored/list_json.hpp"
#include "reports/terminal/terminal_page.hpp"

namespace tunecheck::cli {
namespace {

struct ScenarioArguments {
  std::vector<std::string> paths, folders;
  std::string where;
  bool as_json = false;
};

Result<Catalogue> read(const ScenarioArguments& arguments) {
  return read_catalogue({to_paths(arguments.folders), to_paths(arguments.paths)});
}

// Those that --where speaks of.
Result<std::vector<const Scenario*>> asked_for(const ScenarioArguments& arguments,
                                               const Catalogue& catalogue) {
  std::vector<const Scenario*> scenarios;
  for (const auto& [name, scenario] : catalogue.scenarios)
    scenarios.push_back(&scenario);
  TUNECHECK_CHECK(keep_where(arguments.where, catalogue, scenarios));
  return scenarios;
}

std::string text_of(const std::vector<const Scenario*>& scenarios) {
  const TerminalOptions options = terminal_options();
  Page page(options);
  for (const Scenario* const scenario : scenarios) {
    page.line(fmt::format("{}  ({})", scenario->name, scenario->kernel), Style::strong);
    page.entry("", 4, scenario->because);
    if (!scenario->cpu_only.empty()) page.entry("", 4, "on a CPU only: " + scenario->cpu_only);
    if (is_gpu(scenario->backends.front())) page.entry("", 4, "on a GPU only");
  }
  return page.text();
}

int list(const ScenarioArguments& arguments) {
  const auto catalogue = read(arguments);
  if (!catalogue) return report(catalogue.error());
  const auto scenarios = asked_for(arguments, *catalogue);
  if (!scenarios) return report(scenarios.error());
  print(arguments.as_json ? list_json(listed_scenarios(*scenarios)) : text_of(*scenarios));
  return held;
}

int check(const ScenarioArguments& arguments) {
  const auto catalogue = read(arguments);
  if (!catalogue) return report(catalogue.error());
  print(
      fmt::format("{} read, no mistake found\n", counted(catalogue->scenarios.size(), "scenario")));
  return held;
}

// Prints the page even where something is missing: a writer wants to see both.
int coverage() {
  const std::filesystem::path file = find_resources().scenarios / upstream_bugs_file;
  const auto bugs = read_upstream_bugs(file);
  if (!bugs) return report(bugs.error());
  const auto catalogue = read_catalogue({});
  if (!catalogue) return report(catalogue.error());
  const Coverage covered = cover(*bugs, file, catalogue->scenarios);
  print(covered.markdown);
  for (const Error& gap : covered.gaps)
    (void)report(gap);
  return covered.gaps.empty() ? held : bad_input;
}

int reach() {
  const auto adapters = read_adapters(find_resources().adapters);
  if (!adapters) return report(adapters.error());
  const auto catalogue = read_catalogue({});
  if (!catalogue) return report(catalogue.error());
  print(reach_page(*adapters, *catalogue));
  return held;
}

}  // namespace

void add_scenarios_command(CLI::App& app, Action& action) {
  const auto arguments = std::make_shared<ScenarioArguments>();
  CLI::App& command = *app.add_subcommand("scenarios", "List scenarios, or check their files");
  command.require_subcommand(1);
  const auto add = [&](const char* name, const char* description,
                       int (*run)(const ScenarioArguments&)) {
    CLI::App& subcommand = *command.add_subcommand(name, description);
    subcommand
        .add_option("PATH", arguments->paths,
                    "Files or folders of scenarios; tunecheck's own if not given")
        ->type_name("");
    add_kernel_folders(subcommand, arguments->folders);
    subcommand.callback([=, &action] { action = [=] { return run(*arguments); }; });
    return &subcommand;
  };
  CLI::App& listing = *add("list", "Names, kernels, and the bugs they guard against", list);
  add_where(listing, arguments->where);
  add_json(listing, arguments->as_json);
  set_examples(listing,
               "  tunecheck scenarios list --where 'family:restore and not kernel:rmsnorm'\n"
               "  tunecheck scenarios list --where 'catches:no_restore' --json\n");
  set_examples(
      *add("check", "Read all files; the first mistake is printed with file and line", check),
      "  tunecheck scenarios check\n"
      "  tunecheck scenarios check my.info --kernels my_kernels\n");
  CLI::App& covering = *command.add_subcommand(
      "coverage", "Show which scenario catches which bug of which real tuner, as Markdown");
  covering.callback([&action] { action = coverage; });
  set_examples(covering, "  tunecheck scenarios coverage > docs/coverage.md\n");
  CLI::App& reaching = *command.add_subcommand(
      "reach", "Show how many scenarios each adapter is asked, and why not more, as Markdown");
  reaching.callback([&action] { action = reach; });
  set_examples(reaching, "  tunecheck scenarios reach > docs/reach.md\n");
}

}  // namespace tunecheck::cli
