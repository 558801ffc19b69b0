// tunecheck run: scenarios against one tuner.
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/config/config_file.hpp"
#include "cli/console.hpp"
#include "cli/out_lock.hpp"
#include "cli/run/run_again.hpp"
#include "cli/run/run_reports.hpp"
#include "cli/run/run_seeds.hpp"
#include "cli/selection.hpp"
#include "cli/tuner_run.hpp"
#include "cli/usage.hpp"
#include "core/files.hpp"

namespace tunecheck::cli {
namespace {

namespace fs = std::filesystem;

struct RunCommand {
  RunArguments arguments;
  bool list = false, watches = false;
  int slowest = 0, seeds = 0;
  Detail detail = Detail::normal;
};

int run(const RunCommand& command) {
  const RunArguments& arguments = command.arguments;
  auto run = prepare(arguments);
  if (!run) return report(run.error());
  if (const auto checked = check_backend(*run); !checked) return report(checked.error());
  if (const auto checked = check_seeds(arguments, command.seeds); !checked)
    return report(checked.error());
  // What is gone back to must not change until it is replaced.
  std::optional<FileDescriptor> locked;
  if ((arguments.resumes || arguments.last_failed) && !command.list) {
    auto lock = lock_out(arguments.out);
    if (!lock) return report(lock.error());
    locked = std::move(*lock);
  }
  if (const auto selected = select(arguments, *run); !selected) return report(selected.error());
  if (command.list) {
    for (const Scenario* const scenario : run->scenarios)
      print(scenario->name + "\n");
    return held;
  }
  if (!locked) {
    auto lock = lock_out(arguments.out);
    if (!lock) return report(lock.error());
    locked = std::move(*lock);
  }
  if (command.detail == Detail::verbose && !used_config().empty())
    print(fmt::format("with the options of {}\n", used_config().string()));
  if (command.seeds > 0)
    return run_seeds(arguments, command.seeds, {command.detail, command.slowest, true});
  return run_and_report(*run, {command.detail, command.slowest});
}

// The adapter's file, also where it cannot be read just now.
fs::path adapter_file(const std::string& name) {
  const auto adapter = find_adapter(name);
  if (adapter) return adapter->file;
  return name.find('/') != std::string::npos ? fs::path(name) : fs::path();
}

int run_or_watch(const RunCommand& command) {
  const RunArguments& arguments = command.arguments;
  if (!command.watches) return run(command);
  if (command.list || arguments.resumes)
    return report(
        {ErrorKind::bad_input, "expected no --list or --resume next to it", {}, 0, "--watch"});
  run_whenever_files_change([&] { return run(command); },
                            [&] { return paths_of(arguments, adapter_file(arguments.adapter)); },
                            arguments.out);
}

}  // namespace

void add_run_command(CLI::App& app, Action& action) {
  const auto arguments = std::make_shared<RunCommand>();
  CLI::App& command = *app.add_subcommand("run", "Run scenarios against a tuner");
  command
      .add_option("GLOB", arguments->arguments.globs,
                  "Names of scenarios, with * and ?, or @FILE with one per line; all if not given")
      ->type_name("");
  command
      .add_option("--adapter", arguments->arguments.adapter,
                  "The tuner: the name of an adapter, the path of an adapter.info, or\n"
                  "mutant:NAME for the reference tuner with a planted bug, ADAPTER:NAME\n"
                  "for another one; \"reference\" if not given")
      ->type_name("NAME");
  add_out(command, arguments->arguments.out);
  add_run_options(command, arguments->arguments);
  add_selection_options(command, arguments->arguments);
  command
      .add_option("--maxfail", arguments->arguments.most_failures,
                  "Begin no other scenario once so many have failed")
      ->transform(whole_number(1, 1'000'000))
      ->type_name("N");
  command
      .add_flag_callback(
          "-x", [arguments] { arguments->arguments.most_failures = 1; }, "The same as --maxfail 1")
      ->excludes("--maxfail");
  command
      .add_option("--seeds", arguments->seeds,
                  "Run the scenarios with N seeds, --seed and those after it, one after the\n"
                  "other; seeds.json in the folder of --out says which of them failed")
      ->transform(whole_number(1, 1'000'000))
      ->type_name("N");
  command.add_option("--durations", arguments->slowest, "Print what took longest at the end")
      ->transform(whole_number(1, 1'000'000))
      ->type_name("N");
  command.add_flag("--watch", arguments->watches,
                   "Run again whenever a file of the adapter, a kernel or a scenario changes,\n"
                   "until Ctrl-C, which ends it with the status of the last run");
  command.add_flag("--list", arguments->list, "Print the names of the scenarios and run none");
  add_detail(command, arguments->detail);
  set_examples(command,
               "  tunecheck run --jobs 2\n"
               "  tunecheck run --quick\n"
               "  tunecheck run --backend cuda\n"
               "  tunecheck run 'invalidation.*' reload.winner_survives_restart --keep\n"
               "  tunecheck run --adapter mutant:no_restore --out out/no_restore\n"
               "  tunecheck run --scenarios my.info --kernels my_kernels\n"
               "  tunecheck run --adapter NAME --known known.info\n"
               "  tunecheck run --last-failed -x\n"
               "  tunecheck run --watch --adapter tuner/adapter.info\n"
               "  tunecheck run --where 'family:restore and not kernel:rmsnorm'\n"
               "  tunecheck run @names.txt --exclude '*_bf16' --seeds 5\n"
               "  tunecheck run --shard 3/16 --times main/result.json --out out/3\n");
  command.callback(
      [arguments, &action] { action = [arguments] { return run_or_watch(*arguments); }; });
}

}  // namespace tunecheck::cli
