// tunecheck scenarios: what scenarios there are, and can they be read?
#include <memory>

#include <fmt/format.h>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/usage.hpp"
#include "core/device_kinds.hpp"
#include "core/resources.hpp"
#include "harness/process/adapter_info.hpp"
#include "judge/run/reach.hpp"
#include "judge/run/session.hpp"
#include "judge/scenario/coverage.hpp"
#include "reports/terminal/terminal_page.hpp"

namespace tunecheck::cli {
namespace {

struct ScenarioArguments {
  std::vector<std::string> paths, folders;
};

Result<Catalogue> read(const ScenarioArguments& arguments) {
  return read_catalogue({to_paths(arguments.folders), to_paths(arguments.paths)});
}

int list(const ScenarioArguments& arguments) {
  const auto catalogue = read(arguments);
  if (!catalogue) return report(catalogue.error());
  const TerminalOptions options = terminal_options();
  Page page(options);
  for (const auto& [name, scenario] : catalogue->scenarios) {
    page.line(fmt::format("{}  ({})", name, scenario.kernel), Style::strong);
    page.entry("", 4, scenario.because);
    if (!scenario.cpu_only.empty()) page.entry("", 4, "on a CPU only: " + scenario.cpu_only);
    if (is_gpu(scenario.backends.front())) page.entry("", 4, "on a GPU only");
  }
  print(page.text());
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
  add("list", "Names, kernels, and the bugs they guard against", list);
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
