// tunecheck audit: does every check catch a planted bug, and is every planted bug caught?
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/out_lock.hpp"
#include "cli/progress.hpp"
#include "cli/usage.hpp"
#include "core/device_kinds.hpp"
#include "core/text.hpp"
#include "judge/run/audit.hpp"
#include "reports/stored/json.hpp"

namespace tunecheck::cli {
namespace {

struct AuditArguments {
  std::vector<std::string> mutants, kernels, scenarios;
  DeviceKind backend = DeviceKind::cpu;
  std::string out = "out";
  int jobs = 0;
  std::uint64_t seed = 1;
  bool keep = false, quick = false;
};

// The first glob that no name of a mutant or adversary matches, "" if there is none.
std::string unmatched(const std::vector<std::string>& globs,
                      const std::vector<std::string>& names) {
  const auto found = std::find_if(globs.begin(), globs.end(), [&](const std::string& glob) {
    return std::none_of(names.begin(), names.end(),
                        [&](const std::string& name) { return matches_glob(glob, name); });
  });
  return found == globs.end() ? "" : *found;
}

int audit(const AuditArguments& arguments) {
  const auto adapter = find_adapter("reference");
  if (!adapter) return report(adapter.error());
  const auto catalogue = read_catalogue(
      {to_paths(arguments.kernels), to_paths(arguments.scenarios), &*adapter, arguments.backend});
  if (!catalogue) return report(catalogue.error());
  const auto mutants = list_mutants();
  if (!mutants) return report(mutants.error());
  const auto adversaries = list_adversaries();
  if (!adversaries) return report(adversaries.error());
  std::vector<std::string> names;
  for (const MutantInfo& mutant : *mutants)
    names.push_back(mutant.name);
  for (const MutantInfo& adversary : *adversaries)
    names.push_back(std::string(adversary_prefix) + adversary.name);
  // As of scenarios that a run is to take: with nothing run, nothing is known.
  if (const std::string glob = unmatched(arguments.mutants, names); !glob.empty())
    return report(
        {ErrorKind::untrusted, fmt::format("no mutant matches \"{}\"", glob), {}, 0, "--mutant"});
  AuditOptions options;
  options.tasks.backend = arguments.backend;
  options.mutants = arguments.mutants;
  options.quick = arguments.quick;
  options.named_alone = !arguments.scenarios.empty();
  options.repro_options = places_of(arguments.kernels, arguments.scenarios);
  options.tasks.jobs = arguments.jobs;
  options.tasks.out = arguments.out;
  options.tasks.seed = arguments.seed;
  options.tasks.keep = arguments.keep;
  const auto lock = lock_out(options.tasks.out);
  if (!lock) return report(lock.error());
  const auto result = [&] {
    Progress progress(stdout_is_terminal(), Detail::normal, {});
    options.tasks.progress = [&](const ScenarioResult& scenario, int done, int total) {
      progress.audited(scenario, done, total);
    };
    return run_audit(*catalogue, options);
  }();
  if (!result) return report(result.error());
  const auto written = write_json(*result, options.tasks.out / "audit.json");
  print("\n" + audit_summary(*result, terminal_options(arguments.out)));
  if (!written) return report(written.error());
  return result->exit_status();
}

}  // namespace

void add_audit_command(CLI::App& app, Action& action) {
  const auto arguments = std::make_shared<AuditArguments>();
  CLI::App& command =
      *app.add_subcommand("audit", "Show that every check can fail: run tuners with planted bugs");
  add_repeatable(command, "--mutant", arguments->mutants,
                 "Names of planted bugs, with * and ?, and of adversaries as adversary:NAME; all\n"
                 "if not given; may be given several times",
                 "GLOB");
  add_kernel_folders(command, arguments->kernels);
  add_repeatable(command, "--scenarios", arguments->scenarios,
                 "File or folder of scenarios instead of tunecheck's own: each planted bug that\n"
                 "one of them names in \"catches\" must fail it; may be given several times",
                 "PATH");
  add_backend(command, arguments->backend,
              "The kind of device: \"cpu\", \"cuda\" or \"hip\"; \"cpu\" if not given");
  add_jobs(command, arguments->jobs);
  add_out(command, arguments->out);
  add_seed(command, arguments->seed);
  add_keep(command, arguments->keep);
  command.add_flag("--quick", arguments->quick,
                   "One scenario per planted bug, and few for the true tuner: for use while\n"
                   "working, because it cannot show that nothing is missing");
  set_examples(
      command,
      "  tunecheck audit --jobs 2\n"
      "  tunecheck audit --quick\n"
      "  tunecheck audit --backend cuda\n"
      "  tunecheck audit --mutant 'key_without_*' --out out/keys\n"
      "  tunecheck audit --kernels my_kernels --scenarios my_kernels/NAME/scenario.info\n");
  command.callback([arguments, &action] { action = [arguments] { return audit(*arguments); }; });
}

}  // namespace tunecheck::cli
