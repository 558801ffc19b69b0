// tunecheck run: scenarios against one tuner.
#include <algorithm>
#include <memory>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/progress.hpp"
#include "cli/usage.hpp"
#include "core/shell.hpp"
#include "judge/quick.hpp"
#include "judge/session.hpp"
#include "reports/json.hpp"
#include "reports/junit.hpp"

namespace tunecheck::cli {
namespace {

namespace fs = std::filesystem;

struct RunArguments {
  std::vector<std::string> globs, kernels, scenarios, known;
  std::string adapter = "reference", backend = "cpu", out = "out";
  int jobs = 0;
  std::uint64_t seed = 1;
  bool keep = false, list = false, quick = false;
};

// What a command that repeats one scenario must say beside its name. It gets a folder of its own,
// so that the report it repeats stays.
std::string repro_options(const RunArguments& arguments) {
  const bool is_file = arguments.adapter.find('/') != std::string::npos;
  std::string options =
      " --adapter " + shell_quoted(is_file
                                       ? fs::absolute(arguments.adapter).lexically_normal().string()
                                       : arguments.adapter);
  if (arguments.backend != "cpu") options += " --backend " + shell_quoted(arguments.backend);
  for (const std::string& folder : arguments.kernels)
    options += " --kernels " + shell_quoted(fs::absolute(folder).string());
  for (const std::string& path : arguments.scenarios)
    options += " --scenarios " + shell_quoted(fs::absolute(path).string());
  for (const std::string& file : arguments.known)
    options += " --known " + shell_quoted(fs::absolute(file).string());
  return options + " --out " + shell_quoted((fs::path(arguments.out) / "repeat").string());
}

Result<AdapterInfo> adapter_for(const RunArguments& arguments) {
  TUNECHECK_TRY(AdapterInfo adapter, find_adapter(arguments.adapter));
  // Scenarios choose the simulated device themselves: other kernels cannot run on it.
  std::vector<std::string> backends = adapter.backends;
  std::erase(backends, "sim");
  if (std::find(backends.begin(), backends.end(), arguments.backend) == backends.end())
    return failure(Error{fmt::format("adapter \"{}\" has no backend \"{}\"; expected one of: {}",
                                     adapter.name, arguments.backend, fmt::join(backends, ", ")),
                         {},
                         0,
                         "--backend"});
  return adapter;
}

// The names of all scenarios that a mark may be for: an adapter marks tunecheck's own, whichever
// are run.
Result<std::set<std::string>> markable(const RunArguments& arguments, const Catalogue& catalogue) {
  std::set<std::string> names;
  for (const auto& [name, scenario] : catalogue.scenarios)
    names.insert(name);
  if (arguments.scenarios.empty()) return names;
  TUNECHECK_TRY(const Catalogue own, read_catalogue({to_paths(arguments.kernels), {}}));
  for (const auto& [name, scenario] : own.scenarios)
    names.insert(name);
  return names;
}

Result<KnownFailures> marks_for(const RunArguments& arguments, const AdapterInfo& adapter,
                                const Catalogue& catalogue) {
  std::vector<fs::path> files;
  if (const auto own = known_failures_of(adapter)) files.push_back(*own);
  for (const std::string& file : arguments.known)
    files.emplace_back(file);
  if (files.empty()) return KnownFailures();
  TUNECHECK_TRY(const std::set<std::string> names, markable(arguments, catalogue));
  return read_known_failures(files, names);
}

Result<void> write_reports(const RunResult& result, const fs::path& out) {
  TUNECHECK_CHECK(write_json(result, out / "result.json"));
  return write_junit(result, out / "junit.xml");
}

int run(const RunArguments& arguments) {
  auto adapter = adapter_for(arguments);
  if (!adapter) return report(adapter.error(), bad_input);
  const auto catalogue =
      read_catalogue({to_paths(arguments.kernels), to_paths(arguments.scenarios)});
  if (!catalogue) return report(catalogue.error(), bad_input);
  const auto matching = select_scenarios(*catalogue, arguments.globs);
  if (!matching) return report(matching.error(), untrusted);
  Selection selection = for_backend(*matching, arguments.backend);
  if (arguments.quick) selection.scenarios = quick_selection(*catalogue, selection.scenarios);
  if (arguments.list) {
    for (const Scenario* const scenario : selection.scenarios)
      print(scenario->name + "\n");
    return held;
  }
  auto marks = marks_for(arguments, *adapter, *catalogue);
  if (!marks) return report(marks.error(), bad_input);
  RunOptions options;
  options.known = std::move(*marks);
  options.adapter = std::move(*adapter);
  options.tasks.backend = arguments.backend;
  options.tasks.jobs = arguments.jobs;
  options.tasks.out = arguments.out;
  options.tasks.seed = arguments.seed;
  options.tasks.keep = arguments.keep;
  options.repro_options = repro_options(arguments);
  auto result = [&] {
    Progress progress(stdout_is_terminal());
    options.tasks.progress = [&](const ScenarioResult& scenario, int done, int total) {
      progress.scenario(scenario, done, total);
    };
    return run_scenarios(*catalogue, selection.scenarios, options);
  }();
  if (!result) return report(result.error(), untrusted);
  result->left_out = std::move(selection.left_out);
  const auto written = write_reports(*result, arguments.out);
  print("\n" + run_summary(*result, terminal_options(arguments.out)));
  if (!written) return report(written.error(), untrusted);
  return result->exit_status();
}

}  // namespace

void add_run_command(CLI::App& app, Action& action) {
  const auto arguments = std::make_shared<RunArguments>();
  CLI::App& command = *app.add_subcommand("run", "Run scenarios against a tuner");
  command
      .add_option("GLOB", arguments->globs, "Names of scenarios, with * and ?; all if not given")
      ->type_name("");
  command
      .add_option("--adapter", arguments->adapter,
                  "The tuner: the name of an adapter, the path of an adapter.info, or\n"
                  "mutant:NAME for the reference tuner with a planted bug; \"reference\"\n"
                  "if not given")
      ->type_name("NAME");
  command
      .add_option("--backend", arguments->backend,
                  "The kind of device: \"cpu\", \"cuda\" or \"hip\"; \"cpu\" if not\n"
                  "given. Scenarios that do not run there are left out")
      ->type_name("NAME");
  add_jobs(command, arguments->jobs);
  add_out(command, arguments->out);
  add_seed(command, arguments->seed);
  add_keep(command, arguments->keep);
  command.add_flag("--list", arguments->list, "Print the names of the scenarios and run none");
  command.add_flag("--quick", arguments->quick,
                   "Of these, the few that still have every family and every check");
  add_kernel_folders(command, arguments->kernels);
  add_repeatable(command, "--scenarios", arguments->scenarios,
                 "File or folder of scenarios instead of tunecheck's own; may be given\n"
                 "several times",
                 "PATH");
  add_repeatable(command, "--known", arguments->known,
                 "File of failures that are known, beside the adapter's own known.info;\n"
                 "may be given several times",
                 "FILE");
  set_examples(command,
               "  tunecheck run --jobs 2\n"
               "  tunecheck run --quick\n"
               "  tunecheck run --backend cuda\n"
               "  tunecheck run 'invalidation.*' reload.winner_survives_restart --keep\n"
               "  tunecheck run --adapter mutant:no_restore --out out/no_restore\n"
               "  tunecheck run --scenarios my.info --kernels my_kernels\n"
               "  tunecheck run --adapter NAME --known known.info\n");
  command.callback([arguments, &action] { action = [arguments] { return run(*arguments); }; });
}

}  // namespace tunecheck::cli
