// tunecheck history: runs kept over time.
#include <algorithm>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/stored_run.hpp"
#include "cli/usage.hpp"
#include "core/files.hpp"
#include "core/text.hpp"
#include "gate/history/baseline.hpp"
#include "gate/history/changes.hpp"
#include "gate/history/google_benchmark.hpp"
#include "gate/rule/google_benchmark_json.hpp"
#include "reports/stored/history_json.hpp"
#include "reports/terminal/history_pages.hpp"

namespace tunecheck::cli {
namespace {

namespace fs = std::filesystem;
struct HistoryArguments {
  std::string database;
  std::string format = "terminal";
  std::vector<std::string> files;  ///< of add
  std::string side = "head", revision;
  bool as_one = false;
  std::string run, against;        ///< of show
  std::string name, new_name;      ///< of plot and rename
  bool all = false, undo = false;  ///< of plot; of rename
  std::vector<std::string> globs;  ///< of changes
  history::ChangeOptions changes;
};

Result<history::History> open_history(const HistoryArguments& arguments) {
  TUNECHECK_TRY(const fs::path file, history_file(arguments.database));
  return history::History::open(file);
}

// Every file a run of its own, or all of them the processes of one.
Result<std::vector<history::MeasuredRun>> read_runs(const HistoryArguments& arguments) {
  std::vector<history::MeasuredRun> runs;
  std::vector<history::SourceFile> recordings;
  for (const std::string& file : arguments.files) {
    TUNECHECK_TRY(std::string text, read_text_file(file));
    const bool is_recording = gate::is_google_benchmark(text);
    if (is_recording && arguments.as_one) {
      recordings.push_back({file, std::move(text)});
      continue;
    }
    if (arguments.as_one)
      return failure(Error{ErrorKind::bad_input,
                           "expected a file that Google Benchmark wrote, because of --as-one",
                           file,
                           0,
                           {}});
    const gate::Side side = arguments.side == "base" ? gate::Side::base : gate::Side::head;
    std::optional<Result<history::MeasuredRun>> verdicts;
    if (!is_recording) verdicts = read_verdicts(file);
    auto run = verdicts       ? std::move(*verdicts)
               : is_recording ? history::read_google_benchmark({{file, std::move(text)}})
                              : read_gate_run(file, side);
    if (!run) return failure(run.error());
    run->source = file;
    runs.push_back(std::move(*run));
  }
  if (!recordings.empty()) {
    TUNECHECK_TRY(history::MeasuredRun run, history::read_google_benchmark(recordings));
    run.source = recordings.front().file;
    runs.push_back(std::move(run));
  }
  for (history::MeasuredRun& run : runs) {
    if (!arguments.revision.empty()) run.revision = arguments.revision;
    if (const auto checked = check(run); !checked)
      return failure(Error{checked.error().kind, checked.error().message, run.source, 0, {}});
  }
  return runs;
}

// All files are read before anything is stored.
int add(const HistoryArguments& arguments) {
  const auto runs = read_runs(arguments);
  if (!runs) return report(runs.error());
  const auto file = history_file(arguments.database);
  if (!file) return report(file.error());
  auto history = history::History::open_or_create(*file);
  if (!history) return report(history.error());
  for (const history::MeasuredRun& run : *runs) {
    const auto added = history->add(run);
    if (!added) return report(added.error());
    print(added->is_new ? fmt::format("run {}: {} from {}\n", added->run,
                                      counted(run.sets.size(), "benchmark"), run.source)
                        : fmt::format("run {} is already stored: {}\n", added->run, run.source));
  }
  return held;
}

int list(const HistoryArguments& arguments) {
  auto history = open_history(arguments);
  if (!history) return report(history.error());
  const auto contents = history->read();
  if (!contents) return report(contents.error());
  print(arguments.format == "json" ? history_list_json(*contents) : history_list(*contents));
  return held;
}

Result<std::string> shown(const HistoryArguments& arguments, history::History& history) {
  TUNECHECK_TRY(const history::Contents contents, history.read());
  TUNECHECK_TRY(const history::StoredRun run, find_run(contents, arguments.run));
  TUNECHECK_TRY(const std::vector<history::SampleSet> sets, history.sample_sets(run.id));
  const bool is_json = arguments.format == "json";
  if (arguments.against.empty())
    return is_json ? history_run_json(run, sets) : history_run(run, sets);
  TUNECHECK_TRY(const history::StoredRun baseline, find_run(contents, arguments.against));
  TUNECHECK_TRY(const std::vector<history::SampleSet> before, history.sample_sets(baseline.id));
  TUNECHECK_TRY(const std::vector<history::Compared> both, compared(before, sets));
  return is_json ? history_comparison_json(baseline, run, both)
                 : history_comparison(baseline, run, both);
}

int show_run(const HistoryArguments& arguments) {
  auto history = open_history(arguments);
  if (!history) return report(history.error());
  const auto text = shown(arguments, *history);
  if (!text) return report(text.error());
  print(*text);
  return held;
}

// The series of a benchmark, the one with its last run last.
Result<std::vector<history::Series>> series_named(const history::Contents& contents,
                                                  const std::string& name) {
  std::vector<history::Series> named;
  std::vector<std::string> names;
  for (history::Series& series : series_of(contents)) {
    names.push_back(series.benchmark);
    if (series.benchmark == name) named.push_back(std::move(series));
  }
  if (named.empty()) {
    const auto nearest = nearest_word(name, names);
    return failure(ErrorKind::bad_input, "no run has a benchmark \"{}\"{}", name,
                   nearest ? fmt::format("; did you mean \"{}\"?", *nearest) : "");
  }
  const auto place_of_last = [&](const history::Series& series) {
    return std::find_if(
        contents.runs.begin(), contents.runs.end(),
        [&](const history::StoredRun& run) { return run.id == series.points.back().run; });
  };
  std::sort(named.begin(), named.end(), [&](const history::Series& a, const history::Series& b) {
    return place_of_last(a) < place_of_last(b);
  });
  return named;
}

std::vector<history::Change> changes_in(const history::Series& series,
                                        std::vector<history::Change> changes) {
  std::erase_if(changes, [&](const history::Change& change) {
    return change.benchmark != series.benchmark || change.fingerprint != series.fingerprint ||
           change.unit != series.unit;
  });
  return changes;
}

int plot(const HistoryArguments& arguments) {
  auto history = open_history(arguments);
  if (!history) return report(history.error());
  const auto contents = history->read();
  if (!contents) return report(contents.error());
  auto series = series_named(*contents, arguments.name);
  if (!series) return report(series.error());
  // Those that `tunecheck history changes` lists.
  const std::vector<history::Change> found =
      find_changes(series_of(*contents), arguments.changes).found;
  std::size_t hidden = 0;
  for (std::size_t i = 0; i < series->size(); ++i) {
    const history::Series& one = (*series)[i];
    if (!arguments.all && i + 1 < series->size()) {
      hidden += one.points.size();
      continue;
    }
    if (arguments.all && i > 0) print("\n");
    print(history_plot(*contents, one, changes_in(one, found)));
  }
  if (hidden > 0) print(fmt::format("not shown: {} under other conditions; see --all\n", hidden));
  return held;
}

// Leaves what matches one of the globs, each of which must match something; all without globs.
Result<void> keep_benchmarks(const std::vector<std::string>& globs, history::Contents& contents) {
  const auto matches = [](const std::string& glob) {
    return [&glob](const history::Point& point) { return matches_glob(glob, point.benchmark); };
  };
  for (const std::string& glob : globs)
    if (std::none_of(contents.points.begin(), contents.points.end(), matches(glob)))
      return failure(ErrorKind::bad_input, "no benchmark matches \"{}\"; see history list", glob);
  if (globs.empty()) return {};
  std::erase_if(contents.points, [&](const history::Point& point) {
    return std::none_of(globs.begin(), globs.end(),
                        [&](const std::string& glob) { return matches(glob)(point); });
  });
  return {};
}

int changes(const HistoryArguments& arguments) {
  auto history = open_history(arguments);
  if (!history) return report(history.error());
  auto contents = history->read();
  if (!contents) return report(contents.error());
  if (const auto checked = keep_benchmarks(arguments.globs, *contents); !checked)
    return report(checked.error());
  const std::vector<history::Series> series = series_of(*contents);
  const history::Changes found = find_changes(series, arguments.changes);
  print(arguments.format == "json"
            ? history_changes_json(*contents, series, found, arguments.changes)
            : history_changes(*contents, series, found, arguments.changes));
  return held;
}

int rename(const HistoryArguments& arguments) {
  auto history = open_history(arguments);
  if (!history) return report(history.error());
  if (arguments.undo != arguments.new_name.empty())
    return report({ErrorKind::bad_input, "expected OLD and NEW, or OLD and --undo", {}, 0, {}});
  const auto renamed = arguments.undo ? history->undo_rename(arguments.name)
                                      : history->rename(arguments.name, arguments.new_name);
  return renamed ? int{held} : report(renamed.error());
}

using Arguments = std::shared_ptr<HistoryArguments>;

CLI::App& add_part(CLI::App& parent, const std::string& name, const std::string& description,
                   const Arguments& arguments) {
  CLI::App& command = *parent.add_subcommand(name, description);
  add_history_file(command, arguments->database);
  return command;
}

void add_format(CLI::App& command, const Arguments& arguments) {
  command
      .add_option("--format", arguments->format,
                  "\"terminal\" or \"json\"; \"terminal\" if not given")
      ->check(known_word("format", {"terminal", "json"}))
      ->type_name("NAME");
}

void add_add(CLI::App& parent, const Arguments& arguments, Action& action) {
  CLI::App& command = add_part(parent, "add", "Store measurements", arguments);
  command
      .add_option("FILE", arguments->files,
                  "Files that `tunecheck gate` (gate.json), `tunecheck run` (result.json: its\n"
                  "verdicts) or Google Benchmark (JSON) wrote; each becomes a run")
      ->required()
      ->type_name("");
  command.add_flag("--as-one", arguments->as_one,
                   "Treat the Google Benchmark files as processes of one run");
  command
      .add_option("--side", arguments->side,
                  "The side of a gate.json to store: \"head\" or \"base\"; \"head\" if not given")
      ->check(one_of("head", "base"))
      ->type_name("SIDE");
  command
      .add_option("--revision", arguments->revision,
                  "The commit that was measured, if the file does not say it")
      ->type_name("REV");
  set_examples(command,
               "  tunecheck history add out/gate.json\n"
               "  tunecheck history add out/result.json\n"
               "  tunecheck history add run-*.json --as-one --revision $(git rev-parse HEAD)\n");
  command.callback([arguments, &action] { action = [arguments] { return add(*arguments); }; });
}

void add_show(CLI::App& parent, const Arguments& arguments, Action& action) {
  CLI::App& command =
      add_part(parent, "show", "Show one run, or compare it with another", arguments);
  command.add_option("RUN", arguments->run, "Its number, or \"last\"")->required()->type_name("");
  command
      .add_option("--against", arguments->against,
                  "The run to compare it with; refused if the two were measured under\n"
                  "different conditions")
      ->type_name("RUN");
  add_format(command, arguments);
  set_examples(command,
               "  tunecheck history show last\n"
               "  tunecheck history show 12 --against 7\n");
  command.callback([arguments, &action] { action = [arguments] { return show_run(*arguments); }; });
}

void add_plot(CLI::App& parent, const Arguments& arguments, Action& action) {
  CLI::App& command =
      add_part(parent, "plot", "Plot a benchmark over its runs, as text", arguments);
  command.add_option("BENCHMARK", arguments->name, "Its name")->required()->type_name("");
  command.add_flag("--all", arguments->all,
                   "One plot for each set of conditions that it was measured under, not only\n"
                   "for the last");
  set_examples(command, "  tunecheck history plot rmsnorm/smoke/cpu/warm_start\n");
  command.callback([arguments, &action] { action = [arguments] { return plot(*arguments); }; });
}

void add_changes(CLI::App& parent, const Arguments& arguments, Action& action) {
  CLI::App& command =
      add_part(parent, "changes",
               "Show when benchmarks became slower or faster, were added or removed", arguments);
  command
      .add_option("GLOB", arguments->globs, "Names of benchmarks, with * and ?; all if not given")
      ->type_name("");
  command
      .add_option("--least", arguments->changes.least_change,
                  "Leave out changes in time below this; 2 if not given")
      ->transform(percentage(0, 1000))
      ->type_name("PERCENT");
  command
      .add_option(
          "--false-alarms", arguments->changes.level,
          "The chance of finding any change in times if none changed; 1 if not given. More\n"
          "finds smaller changes, and more of what is found is chance")
      ->transform(percentage(0.01, 50))
      ->type_name("PERCENT");
  command
      .add_option("--seed", arguments->changes.seed,
                  "Seed for the shuffles that tell changes from chance; 1 if not given")
      ->transform(whole_number(0, std::numeric_limits<std::int64_t>::max()))
      ->type_name("N");
  command.add_option("--jobs,-j", arguments->changes.jobs, "Threads; one per core if not given")
      ->transform(whole_number(1, 4096))
      ->type_name("N");
  add_format(command, arguments);
  set_examples(command,
               "  tunecheck history changes\n"
               "  tunecheck history changes 'rmsnorm/*' --least 5\n");
  command.callback([arguments, &action] { action = [arguments] { return changes(*arguments); }; });
}

void add_list(CLI::App& parent, const Arguments& arguments, Action& action) {
  CLI::App& command = add_part(parent, "list", "List all runs and all benchmarks", arguments);
  add_format(command, arguments);
  command.callback([arguments, &action] { action = [arguments] { return list(*arguments); }; });
}

void add_rename(CLI::App& parent, const Arguments& arguments, Action& action) {
  CLI::App& command =
      add_part(parent, "rename", "Read a benchmark's old name as its new one", arguments);
  command.add_option("OLD", arguments->name, "The name that runs were stored with")
      ->required()
      ->type_name("");
  command.add_option("NEW", arguments->new_name, "What later runs call it")->type_name("");
  command.add_flag("--undo", arguments->undo, "Undo the renaming");
  set_examples(command,
               "  tunecheck history rename rms/smoke/cpu/warm_start rmsnorm/smoke/cpu/warm_start\n"
               "  tunecheck history rename rms/smoke/cpu/warm_start --undo\n");
  command.callback([arguments, &action] { action = [arguments] { return rename(*arguments); }; });
}

}  // namespace

void add_history_command(CLI::App& app, Action& action) {
  CLI::App& command =
      *app.add_subcommand("history", "Keep runs over time: what was measured, and when it changed");
  command.require_subcommand(1);
  const auto arguments = std::make_shared<HistoryArguments>();
  add_add(command, arguments, action);
  add_list(command, arguments, action);
  add_show(command, arguments, action);
  add_plot(command, arguments, action);
  add_changes(command, arguments, action);
  add_rename(command, arguments, action);
}

}  // namespace tunecheck::cli
