// tunecheck run: scenarios against one tuner.
#include <memory>
#include <optional>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/out_lock.hpp"
#include "cli/selection.hpp"
#include "cli/tuner_run.hpp"
#include "cli/usage.hpp"
#include "core/files.hpp"
#include "reports/ci/junit.hpp"
#include "reports/html/html_report.hpp"
#include "reports/stored/json.hpp"
#include "reports/stored/result_reader.hpp"

namespace tunecheck::cli {
namespace {

namespace fs = std::filesystem;

struct RunCommand {
  RunArguments arguments;
  bool list = false;
  int slowest = 0;
  Detail detail = Detail::normal;
};

// Beside result.json, with links to the evidence. A page that cannot be made is no reason to fail.
fs::path write_html(const RunResult& result, const fs::path& out) {
  if (!has_html_reports()) return {};
  ReportSources sources;
  sources.runs.push_back(result);
  sources.runs.front().file = (out / "result.json").string();
  name_files_from(out, sources.runs.front());
  const fs::path file = out / "report.html";
  const auto page = html_report(sources, {{}, version(), fs::absolute(out).lexically_normal()});
  if (!page || !write_file_atomically(file, *page)) return {};
  return file;
}

// Everything that is in a report is in result.json: `tunecheck report` makes them again.
Result<void> write_reports(const RunResult& result, const std::filesystem::path& out) {
  TUNECHECK_CHECK(write_json(result, out / "result.json"));
  return write_junit(result, out / "junit.xml", std::filesystem::current_path());
}

int run(const RunCommand& command) {
  const RunArguments& arguments = command.arguments;
  auto run = prepare(arguments);
  if (!run) return report(run.error());
  if (const auto checked = check_backend(*run); !checked) return report(checked.error());
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
  const auto result = perform(*run, command.detail);
  if (!result) return report(result.error());
  const auto written = write_reports(*result, arguments.out);
  TerminalOptions options = terminal_options(arguments.out);
  options.detail = command.detail;
  options.html = write_html(*result, arguments.out);
  if (command.detail != Detail::quiet) print("\n");
  print(run_summary(*result, options));
  if (command.slowest > 0 && command.detail != Detail::quiet)
    print(durations_page(*result, static_cast<std::size_t>(command.slowest), options));
  if (!written) return report(written.error());
  return result->exit_status();
}

}  // namespace

void add_run_command(CLI::App& app, Action& action) {
  const auto arguments = std::make_shared<RunCommand>();
  CLI::App& command = *app.add_subcommand("run", "Run scenarios against a tuner");
  command
      .add_option("GLOB", arguments->arguments.globs,
                  "Names of scenarios, with * and ?; all if not given")
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
  command.add_flag_callback(
      "-x", [arguments] { arguments->arguments.most_failures = 1; }, "The same as --maxfail 1");
  command.add_option("--durations", arguments->slowest, "Print what took longest at the end")
      ->transform(whole_number(1, 1'000'000))
      ->type_name("N");
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
               "  tunecheck run --shard 3/16 --times main/result.json --out out/3\n");
  command.callback([arguments, &action] { action = [arguments] { return run(*arguments); }; });
}

}  // namespace tunecheck::cli
