// tunecheck gate: is the head slower than the base?
#include <algorithm>
#include <limits>
#include <memory>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/gate_calibrate.hpp"
#include "cli/gate_session.hpp"
#include "cli/stored_run.hpp"
#include "cli/usage.hpp"
#include "core/text.hpp"
#include "gate/measure/kernel_benchmarks.hpp"

namespace tunecheck::cli {

std::string known_metric(const std::string& name) {
  std::vector<std::string> known;
  for (const gate::Metric& metric : gate::metrics())
    known.emplace_back(metric.name);
  const bool is_known = std::find(known.begin(), known.end(), name) != known.end();
  return is_known ? std::string() : unknown_word_message("metric", name, known);
}

namespace {

void add_session_options(CLI::App& command, GateArguments& arguments) {
  add_repeatable(command, "--base", arguments.base,
                 "The build to compare with: a build folder or installation of tunecheck, a\n"
                 "revision to build, a checkout of a tuner (see --adapter), a Google Benchmark\n"
                 "program, or its JSON files, which may be given several times",
                 "WHAT");
  command
      .add_option("--against", arguments.against,
                  "Instead of --base: a run of the history, by its number or \"last\", or the\n"
                  "head of a gate.json. Counts are compared; for times, the report says which\n"
                  "ones have to be measured with --base")
      ->type_name("RUN")
      ->excludes("--base");
  add_history_file(command, arguments.database);
  add_repeatable(command, "--head", arguments.head, "The build to judge; same kind as --base",
                 "WHAT");
  command
      .add_option("--adapter", arguments.adapter,
                  "The name of an adapter that both builds have, or the path of an adapter.info\n"
                  "in two checkouts of a tuner; \"reference\" if not given")
      ->type_name("NAME");
  add_backend(command, arguments.backend, "cpu, cuda or hip; cpu if not given");
  add_repeatable(command, "--kernel", arguments.kernels,
                 "A kernel to measure; may be given several times", "NAME");
  add_repeatable(command, "--size", arguments.sizes,
                 "A size that the kernel files declare; smoke if not given", "SIZE");
  add_repeatable(command, "--metric", arguments.metrics, "What to measure; all if not given",
                 "NAME")
      ->check(known_metric);
  command.add_option("--seed", arguments.seed, "Seed for the order of processes; 1 if not given")
      ->transform(whole_number(0, std::numeric_limits<std::int64_t>::max()))
      ->type_name("N");
  command.add_option("--delta", arguments.delta, "Smaller slowdowns are ignored; 2% if not given")
      ->transform(percentage(0.1, 50))
      ->type_name("PERCENT");
  command
      .add_option("--tolerance", arguments.tolerance,
                  "A slowdown of this size must be found, and no larger one may pass; more\n"
                  "than delta, 5% if not given")
      ->transform(percentage(0.1, 100))
      ->type_name("PERCENT");
  command
      .add_option("--benchmark-filter", arguments.filter,
                  "Google Benchmark's --benchmark_filter; all benchmarks if not given")
      ->type_name("REGEX");
  add_repeatable(command, "--pass", arguments.passed,
                 "An argument for both programs of Google Benchmark, e.g.\n"
                 "--pass=--benchmark_min_time=0.05; may be given several times",
                 "ARGUMENT");
  command
      .add_option("--jobs,-j", arguments.jobs,
                  "Compilers that a build runs at once; one per core if not given")
      ->transform(whole_number(1, 4096))
      ->type_name("N");
  add_out(command, arguments.out);
  command.add_flag("--resume", arguments.resumes, "Continue the interrupted session in --out");
  add_kernel_folders(command, arguments.kernel_folders);
  command
      .add_option_function<std::string>(
          "--fail-on", [&arguments](const std::string&) { arguments.fails_on_inconclusive = true; },
          "inconclusive: exit with status 5 if the session is")
      ->check(CLI::IsMember({"inconclusive"}))
      ->type_name("ANSWER");
}

}  // namespace

void add_gate_command(CLI::App& app, Action& action) {
  CLI::App& command =
      *app.add_subcommand("gate", "Find regressions in times, without false alarms");
  command.require_subcommand(0, 1);
  const auto arguments = std::make_shared<GateArguments>();
  add_session_options(command, *arguments);
  command.callback([arguments, &command, &action] {
    if (!command.get_subcommands().empty()) return;
    if (arguments->base.empty() && arguments->against.empty()) throw CLI::RequiredError("--base");
    if (arguments->head.empty()) throw CLI::RequiredError("--head");
    arguments->given = given_options(command);
    action = [arguments] { return run_gate(*arguments); };
  });
  set_examples(command,
               "  tunecheck gate --base origin/main --head build/release\n"
               "  tunecheck gate --base old/prefix --head build/release --kernel rmsnorm\n"
               "  tunecheck gate --base old_bench --head new_bench --benchmark-filter Sort\n"
               "  tunecheck gate --base 'old-*.json' --head 'new-*.json'\n"
               "  tunecheck gate --against last --head build/release\n"
               "  tunecheck gate --base HEAD~1 --head build/release --delta 5% --tolerance 10%\n");
  add_calibrate_command(command, action);
}

}  // namespace tunecheck::cli
