// tunecheck audit: does every check catch a planted bug, and is every planted bug caught?
#include <algorithm>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "cli/arguments.hpp"
#include "cli/build_commit.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/division.hpp"
#include "cli/out_lock.hpp"
#include "cli/page_file.hpp"
#include "cli/progress.hpp"
#include "cli/tuner_run.hpp"
#include "cli/usage.hpp"
#include "core/device_kinds.hpp"
#include "core/text.hpp"
#include "judge/run/audit.hpp"
#include "judge/run/foreign_audit.hpp"
#include "reports/stored/json.hpp"

namespace tunecheck::cli {
namespace {

struct AuditArguments {
  std::vector<std::string> mutants, kernels, scenarios;
  std::string adapter = "reference";
  DeviceKind backend = DeviceKind::cpu;
  std::string out = "out";
  int jobs = 0;
  std::uint64_t seed = 1;
  bool keep = false, quick = false;
  std::string true_tuner = "all";
  std::string shard;               ///< "3/16" or "auto"
  std::vector<std::string> times;  ///< files of earlier results
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

Result<void> check_globs(const std::vector<std::string>& globs,
                         const std::vector<std::string>& names) {
  const std::string glob = unmatched(globs, names);
  if (glob.empty()) return {};
  const auto nearest = nearest_word(glob, names);
  return failure(Error{ErrorKind::bad_input,
                       fmt::format("no mutant matches \"{}\"; {}", glob,
                                   nearest ? "did you mean \"" + *nearest + "\"?"
                                           : "`tunecheck mutants list` shows them"),
                       {},
                       0,
                       "--mutant"});
}

TaskOptions task_options(const AuditArguments& arguments) {
  TaskOptions options;
  options.backend = arguments.backend;
  options.jobs = arguments.jobs;
  options.out = arguments.out;
  options.seed = arguments.seed;
  options.keep = arguments.keep;
  return options;
}

Result<std::optional<AuditPart>> part_asked(const AuditArguments& arguments) {
  TUNECHECK_TRY(const auto shard, shard_asked(arguments.shard));
  TUNECHECK_CHECK(check_times(arguments.times, shard));
  if (!shard) return std::optional<AuditPart>();
  TUNECHECK_TRY(ScenarioTimes times, times_of(arguments.times, ""));
  return std::optional(AuditPart{*shard, std::move(times)});
}

// Runs an audit in the output folder, writes what it found there and prints it.
template <class Perform>
int perform_audit(TaskOptions& options, const Perform& perform) {
  const auto lock = lock_out(options.out);
  if (!lock) return report(lock.error());
  Result<AuditResult> result = [&]() -> Result<AuditResult> {
    Progress progress(stdout_is_terminal(), Detail::normal, {});
    options.begun = [&](const Scenario& scenario) { progress.begun(scenario.name); };
    options.progress = [&](const ScenarioResult& scenario, int done, int total) {
      progress.audited(scenario, done, total);
    };
    return perform();
  }();
  if (!result) return report(result.error());
  add_build_commit(result->reference.environment);
  const auto written = write_json(*result, options.out / "audit.json");
  TerminalOptions terminal = terminal_options(options.out);
  ReportSources sources;
  sources.audits.push_back({(options.out / "audit.json").string(), *result});
  terminal.html = write_page(sources, options.out);
  print("\n" + audit_summary(*result, terminal));
  if (!written) return report(written.error());
  return result->exit_status();
}

int audit_reference(const AuditArguments& arguments) {
  auto part = part_asked(arguments);
  if (!part) return report(part.error());
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
  if (const auto checked = check_globs(arguments.mutants, names); !checked)
    return report(checked.error());
  AuditOptions options;
  options.tasks = task_options(arguments);
  options.part = std::move(*part);
  options.mutants = arguments.mutants;
  options.quick = arguments.quick;
  options.few_for_true_tuner = arguments.true_tuner == "few";
  options.named_alone = !arguments.scenarios.empty();
  options.repro_options = places_of(arguments.kernels, arguments.scenarios);
  return perform_audit(options.tasks, [&] { return run_audit(*catalogue, options); });
}

// Names of tunecheck's own scenarios where --scenarios gives others instead.
Result<std::set<std::string>> left_out_by(const AuditArguments& arguments,
                                          const AdapterInfo& adapter) {
  std::set<std::string> names;
  if (arguments.scenarios.empty()) return names;
  TUNECHECK_TRY(const Catalogue own,
                read_catalogue({to_paths(arguments.kernels), {}, &adapter, arguments.backend}));
  for (const auto& [name, scenario] : own.scenarios)
    names.insert(name);
  return names;
}

// For a tuner that is not tunecheck's own, whose adapter plants the bugs.
int audit_foreign(const AuditArguments& arguments) {
  if (arguments.quick)
    return report({ErrorKind::bad_input,
                   "expected without --adapter: an adapter names the scenarios of its mutants",
                   {},
                   0,
                   "--quick"});
  if (arguments.true_tuner != "all")
    return report({ErrorKind::bad_input,
                   "expected without --adapter: the tuner of an adapter runs the scenarios of its "
                   "mutants",
                   {},
                   0,
                   "--true-tuner"});
  auto part = part_asked(arguments);
  if (!part) return report(part.error());
  RunArguments like_a_run;
  like_a_run.adapter = arguments.adapter;
  like_a_run.backend = arguments.backend;
  like_a_run.kernels = arguments.kernels;
  like_a_run.scenarios = arguments.scenarios;
  like_a_run.out = arguments.out;
  const auto run = prepare(like_a_run);
  if (!run) return report(run.error());
  if (const auto checked = check_backend(*run); !checked) return report(checked.error());
  const auto mutants = list_mutants_of(run->options.adapter);
  if (!mutants) return report(mutants.error());
  std::vector<std::string> names;
  for (const MutantInfo& mutant : *mutants)
    names.push_back(mutant.name);
  if (const auto checked = check_globs(arguments.mutants, names); !checked)
    return report(checked.error());
  auto left_out = left_out_by(arguments, run->options.adapter);
  if (!left_out) return report(left_out.error());
  ForeignAuditOptions options;
  options.adapter = run->options.adapter;
  options.argument = arguments.adapter.find('/') == std::string::npos
                         ? arguments.adapter
                         : std::filesystem::absolute(arguments.adapter).lexically_normal().string();
  options.part = std::move(*part);
  options.mutants = arguments.mutants;
  options.left_out = std::move(*left_out);
  options.known = run->options.known;
  options.repro_options = places_of(arguments.kernels, arguments.scenarios);
  options.tasks = task_options(arguments);
  return perform_audit(options.tasks, [&] { return run_foreign_audit(run->catalogue, options); });
}

int audit(const AuditArguments& arguments) {
  return arguments.adapter == "reference" ? audit_reference(arguments) : audit_foreign(arguments);
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
  command
      .add_option("--adapter", arguments->adapter,
                  "Another tuner, whose adapter can plant bugs into it: the name of an\n"
                  "adapter, or the path of an adapter.info; \"reference\" if not given")
      ->type_name("NAME");
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
                   "Run one scenario per planted bug, and only a few with the tuner that has no\n"
                   "planted bug. For use while working: it cannot show that nothing is missing");
  command
      .add_option(
          "--true-tuner", arguments->true_tuner,
          "Scenarios to run with the tuner without a planted bug: \"all\", or \"few\" that still\n"
          "use every check, for when a run covers all of them; \"all\" if not given")
      ->check(one_of("all", "few"))
      ->type_name("all|few");
  add_shard_option(command, arguments->shard, "audit");
  add_times_option(command, arguments->times);
  set_examples(
      command,
      "  tunecheck audit --jobs 2\n"
      "  tunecheck audit --quick\n"
      "  tunecheck audit --backend cuda\n"
      "  tunecheck audit --mutant 'key_without_*' --out out/keys\n"
      "  tunecheck audit --adapter flydsl\n"
      "  tunecheck audit --shard 3/16 --times main/audit.json --out out/3\n"
      "  tunecheck audit --kernels my_kernels --scenarios my_kernels/NAME/scenario.info\n");
  command.callback([arguments, &action] { action = [arguments] { return audit(*arguments); }; });
}

}  // namespace tunecheck::cli
