// tunecheck matrix: results of several tuners in one table.
#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/division.hpp"
#include "cli/matrix_causes.hpp"
#include "cli/out_file.hpp"
#include "cli/out_lock.hpp"
#include "cli/tuner_run.hpp"
#include "cli/usage.hpp"
#include "core/device_kinds.hpp"
#include "core/files.hpp"
#include "reports/html/html_state.hpp"
#include "reports/html/html_template.hpp"
#include "reports/matrix/matrix_json.hpp"
#include "reports/matrix/matrix_pages.hpp"
#include "reports/stored/json.hpp"

namespace tunecheck::cli {
namespace {

namespace fs = std::filesystem;

struct MatrixArguments {
  std::vector<std::string> results, adapters;
  RunArguments run;  ///< of every adapter; `out` is the folder with a folder for each
  std::string format = "terminal", out;
  std::string findings;            ///< folder of pages that go into the HTML page
  bool marks_now = false;          ///< see mark_what_failed()
  std::vector<std::string> given;  ///< the options of the command line
};

// Where nothing is run, nothing decides what is run, and how.
Result<void> check_options(const MatrixArguments& arguments) {
  if (arguments.format != "html")
    TUNECHECK_CHECK(check_effect(arguments.given, {"--findings"}, "for html alone"));
  if (!arguments.adapters.empty()) return {};
  std::vector<std::string_view> of_runs = {"--only", "--quick", "--backend", "--jobs", "--seed",
                                           "--keep", "--runs",  "--shard",   "--times"};
  if (!arguments.marks_now) of_runs.insert(of_runs.end(), {"--kernels", "--scenarios", "--known"});
  return check_effect(arguments.given, of_runs, "with --adapter alone: no tuner is run");
}

// A name may have parts, and in the environment of programs ':' ends a folder. An adapter.info is
// named by the folders in front of it, "./adapter.info" by the one that it is in.
std::string folder_of(const std::string& adapter, DeviceKind backend) {
  constexpr std::string_view file = "/adapter.info";
  std::string name = adapter;
  if (const std::size_t at = name.rfind(file); at != name.npos) {
    const fs::path folder = fs::path(name.substr(0, at + 1)).lexically_normal().parent_path();
    const std::string behind = name.substr(at + file.size());
    name = folder.empty() ? fs::current_path().filename().string() : folder.string();
    name += behind;
  }
  std::replace_if(
      name.begin(), name.end(), [](char letter) { return letter == ':' || letter == '/'; }, '-');
  return fmt::format("{}-{}", name.substr(std::min(name.find_first_not_of(".-"), name.size())),
                     name_of(backend));
}

// A run of each adapter, all of them read before any begins.
Result<std::vector<TunerRun>> prepare_all(const MatrixArguments& arguments) {
  std::vector<TunerRun> runs;
  std::set<std::string> folders;
  for (const std::string& adapter : arguments.adapters) {
    RunArguments one = arguments.run;
    one.adapter = adapter;
    const std::string folder = folder_of(adapter, one.backend);
    if (!folders.insert(folder).second)
      return failure(Error{ErrorKind::bad_input,
                           fmt::format("expected each tuner once: \"{}\" would replace another "
                                       "run in {}",
                                       adapter, (fs::path(one.out) / folder).string()),
                           {},
                           0,
                           "--adapter"});
    one.out = (fs::path(one.out) / folder).string();
    TUNECHECK_TRY(TunerRun run, prepare(one));
    runs.push_back(std::move(run));
  }
  return runs;
}

Result<void> add_file(const fs::path& file, Matrix& matrix) {
  TUNECHECK_TRY(std::vector<MatrixTuner> tuners, read_results(file));
  for (MatrixTuner& tuner : tuners)
    matrix.add(std::move(tuner));
  return {};
}

// Its exit status. What cannot be run is in its result, too: one tuner's absence does not hide the
// others. An error where the result cannot be written.
Result<Status> run_one(const TunerRun& run, bool shows_progress) {
  const fs::path out = run.options.tasks.out;
  const std::string name =
      fmt::format("{} on {}", run.options.adapter.name, name_of(run.options.tasks.backend));
  if (shows_progress) print(name + "\n");
  TUNECHECK_TRY(const FileDescriptor lock, lock_out(out));
  const auto checked = check_backend(run);
  auto result = checked ? perform(run, shows_progress ? Detail::normal : Detail::quiet)
                        : not_begun(run, checked.error());
  if (!result) {
    (void)report({result.error().kind, name + ": " + result.error().text(), {}, 0, {}});
    result = not_begun(run, result.error());
  }
  if (shows_progress) print("\n");
  TUNECHECK_CHECK(create_folders(out));
  TUNECHECK_CHECK(write_json(*result, out / "result.json"));
  return Status{result->exit_status()};
}

// Leaves each run what one part of all of them has: parts take about as long, whatever tuners are
// in them.
Result<void> divide(const MatrixArguments& arguments, std::vector<TunerRun>& runs) {
  // Where nothing is run, a variable of the job divides nothing.
  if (runs.empty()) return {};
  TUNECHECK_TRY(const auto shard, shard_asked(arguments.run.shard));
  TUNECHECK_CHECK(check_times(arguments.run.times, shard));
  if (!shard) return {};
  std::vector<double> times;
  std::vector<std::string> tuners;
  for (const TunerRun& run : runs) {
    TUNECHECK_TRY(const ScenarioTimes own, times_of(arguments.run.times, run.options.adapter.name));
    const std::vector<double> expected = expected_times(run.catalogue, run.scenarios, own);
    times.insert(times.end(), expected.begin(), expected.end());
    tuners.push_back(run.options.adapter.name);
  }
  TUNECHECK_CHECK(check_enough_for(*shard, times.size()));
  const std::vector<std::size_t> part = part_of(times, *shard);
  auto next = part.begin();
  std::size_t begin = 0;
  for (TunerRun& run : runs) {
    const std::vector<const Scenario*> all = std::exchange(run.scenarios, {});
    for (; next != part.end() && *next < begin + all.size(); ++next)
      run.scenarios.push_back(all[*next - begin]);
    begin += all.size();
    run.options.shard = describe_shard(*shard, all);
    run.options.shard->tuners = tuners;
  }
  return {};
}

// The marks that each tuner's adapter has now, on what failed in a run before it had them.
Result<void> mark_what_failed(const MatrixArguments& arguments, Matrix& matrix) {
  for (MatrixTuner& tuner : matrix.tuners) {
    RunArguments one = arguments.run;
    one.adapter = adapter_of(tuner);
    const auto run = prepare(one);
    if (!run) {
      Error error = run.error();
      if (error.key == "--adapter") error.key = "--marks-now";  // nobody has given the other one
      return failure(std::move(error));
    }
    for (auto& [name, scenario] : tuner.scenarios)
      if (const auto mark = run->options.known.find(name); mark != run->options.known.end())
        apply_mark(mark->second, scenario);
  }
  return {};
}

// The table must not replace a result, nor be made for nothing.
Result<void> check_out(const MatrixArguments& arguments, const std::vector<TunerRun>& runs) {
  std::vector<std::string> results = arguments.results;
  std::vector<fs::path> folders;
  for (const TunerRun& run : runs) {
    folders.push_back(run.options.tasks.out);
    results.push_back((folders.back() / "result.json").string());
  }
  TUNECHECK_CHECK(check_out_file(arguments.out, results, "table"));
  return check_can_write(arguments.out, folders);
}

// What one page needs of the folder of findings.
Result<std::string> page_of(const Matrix& matrix, const MatrixArguments& arguments) {
  FindingTexts findings;
  if (!arguments.findings.empty()) {
    TUNECHECK_TRY(findings, read_findings(matrix, arguments.findings));
  }
  return html_state(matrix, findings, version());
}

Result<std::string> text_of(const Matrix& matrix, const MatrixArguments& arguments) {
  if (arguments.format == "html") return page_of(matrix, arguments);
  if (arguments.format == "json") return to_json(matrix);
  if (arguments.format == "markdown") return matrix_markdown(matrix);
  TerminalOptions options = terminal_options();
  options.colour = options.colour && arguments.out.empty();
  return matrix_summary(matrix, options);
}

int matrix(const MatrixArguments& arguments) {
  if (arguments.results.empty() && arguments.adapters.empty())
    return report(
        {ErrorKind::bad_input, "expected results of `tunecheck run`, or --adapter", {}, 0, {}});
  if (const auto checked = check_options(arguments); !checked) return report(checked.error());
  // Before anything is run for it.
  if (arguments.format == "html" && html_state_template().empty())
    return report(built_without_pages());
  Matrix matrix;
  for (const std::string& file : arguments.results)
    if (const auto added = add_file(file, matrix); !added) return report(added.error());
  if (arguments.marks_now)
    if (const auto marked = mark_what_failed(arguments, matrix); !marked)
      return report(marked.error());
  auto runs = prepare_all(arguments);
  if (!runs) return report(runs.error());
  for (TunerRun& run : *runs)
    if (const auto selected = select_whole(arguments.run, run); !selected)
      return report(selected.error());
  if (const auto divided = divide(arguments, *runs); !divided) return report(divided.error());
  if (const auto checked = check_out(arguments, *runs); !checked) return report(checked.error());
  Status status = held;
  const bool shows_progress = arguments.format == "terminal" || !arguments.out.empty();
  for (const TunerRun& run : *runs) {
    const auto ran = run_one(run, shows_progress);
    if (!ran) return report(ran.error());
    status = gravest({status, *ran});
    if (const auto added = add_file(run.options.tasks.out / "result.json", matrix); !added)
      return report(added.error());
  }
  // On a terminal nothing is said of causes.
  if (arguments.format != "terminal")
    if (const auto added = add_causes(matrix, arguments.run.kernels, arguments.marks_now); !added)
      return report(added.error());
  const auto text = text_of(matrix, arguments);
  if (!text) return report(text.error());
  if (arguments.out.empty()) {
    print(*text);
  } else if (const auto written = write_output(arguments.out, *text); !written) {
    return report(written.error());
  }
  return status;
}

void add_format(CLI::App& command, std::string& format) {
  command
      .add_option("--format", format,
                  "\"terminal\", \"html\", \"markdown\" or \"json\"; \"terminal\" if not given")
      ->check(known_word("format", {"terminal", "html", "markdown", "json"}))
      ->type_name("NAME");
}

}  // namespace

void add_matrix_command(CLI::App& app, Action& action) {
  const auto arguments = std::make_shared<MatrixArguments>();
  CLI::App& command =
      *app.add_subcommand("matrix", "Show in one table which check holds for which tuner");
  command
      .add_option("RESULT", arguments->results,
                  "Files that `tunecheck run` or `tunecheck matrix --format json` wrote")
      ->type_name("");
  add_repeatable(command, "--adapter", arguments->adapters,
                 "A tuner to run first, as for `tunecheck run`; may be given several times",
                 "NAME");
  add_repeatable(command, "--only", arguments->run.globs,
                 "Names of scenarios to run, with * and ?; may be given several times;\n"
                 "all if not given",
                 "GLOB");
  add_run_options(command, arguments->run);
  add_shard_option(command, arguments->run.shard, "scenarios of all tuners");
  add_times_option(command, arguments->run.times);
  command
      .add_option("--runs", arguments->run.out,
                  "Folder that gets a folder for each run; \"out\" if not given")
      ->type_name("DIR");
  command.add_flag("--marks-now", arguments->marks_now,
                   "Also apply the marks that the adapters have now: a failure that one of\n"
                   "them describes becomes known");
  add_format(command, arguments->format);
  command
      .add_option("--findings", arguments->findings,
                  "Folder of the pages and scripts that causes name, for html: they become a\n"
                  "part of the page")
      ->type_name("DIR");
  command.add_option("--out", arguments->out, "File for the table; stdout if not given")
      ->type_name("FILE");
  set_examples(command,
               "  tunecheck matrix out/result.json out/cuda/result.json\n"
               "  tunecheck matrix --adapter reference --adapter NAME --quick\n"
               "  tunecheck matrix --adapter reference --adapter NAME --shard 3/16 --runs out/3\n"
               "  tunecheck matrix out/result.json --format json --out short.json\n"
               "  tunecheck matrix docs/conformance/*.json --format html \\\n"
               "      --findings docs/findings --out state.html\n"
               "  tunecheck matrix docs/conformance/*.json --format markdown \\\n"
               "      --out docs/conformance.md\n");
  command.callback([arguments, &command, &action] {
    arguments->given = given_options(command);
    action = [arguments] { return matrix(*arguments); };
  });
}

}  // namespace tunecheck::cli
