// tunecheck watch: somebody's own program, run cold and warm and not changed.
#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/out_lock.hpp"
#include "cli/usage.hpp"
#include "core/byte_size.hpp"
#include "core/files.hpp"
#include "core/resources.hpp"
#include "reports/stored/watch_json.hpp"
#include "reports/terminal/watch_page.hpp"
#include "watch/watch.hpp"

namespace tunecheck::cli {
namespace {

namespace fs = std::filesystem;

struct WatchArguments {
  std::vector<std::string> command;
  std::string out = "out";
  int runs = 3;
  bool uses_own_caches = false, keeps_allocator = false;
  std::vector<std::string> cache_variables, hidden, allowed;
  std::string at_most = "256M", baseline, edit, ready_text, ready_file;
  std::int64_t time_limit = 0, ready_after = -1;
  bool runs_fresh = false;
  Detail detail = Detail::normal;
  bool asks_include = false;
};

Result<std::vector<WatchWord>> allowed_words(const WatchArguments& arguments) {
  std::vector<WatchWord> words;
  std::vector<std::string> names;
  for (const WatchWord word : all_watch_words())
    names.emplace_back(name_of(word));
  for (const std::string& name : arguments.allowed) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      return failure(
          Error{ErrorKind::bad_input,
                fmt::format("expected one of {}, found \"{}\"", fmt::join(names, ", "), name),
                {},
                0,
                "--allow"});
    words.push_back(all_watch_words()[static_cast<std::size_t>(found - names.begin())]);
  }
  return words;
}

// The same word of the same kernel in the same file: lines move.
bool has(const WatchResult& baseline, const WatchResult::Finding& finding) {
  return std::any_of(
      baseline.findings.begin(), baseline.findings.end(), [&](const WatchResult::Finding& known) {
        return known.is_certain && known.word == finding.word && known.kernel == finding.kernel &&
               known.place.file == finding.place.file;
      });
}

Result<watch::WatchOptions> options_of(const WatchArguments& arguments) {
  watch::WatchOptions options;
  options.command = arguments.command;
  options.out = fs::absolute(arguments.out) / "watch";
  options.warm_runs = arguments.uses_own_caches ? arguments.runs : arguments.runs - 1;
  options.uses_own_caches = arguments.uses_own_caches;
  options.keeps_allocator = arguments.keeps_allocator;
  options.cache_variables = arguments.cache_variables;
  options.hidden = arguments.hidden;
  const auto bytes = parse_byte_size(arguments.at_most);
  if (!bytes)
    return failure(
        Error{ErrorKind::bad_input,
              fmt::format("expected a size such as 64M, found \"{}\"", arguments.at_most),
              {},
              0,
              "--at-most"});
  options.at_most = *bytes;
  if (arguments.time_limit > 0) options.time_limit = std::chrono::seconds(arguments.time_limit);
  if (arguments.ready_after >= 0) options.ready.after = std::chrono::seconds(arguments.ready_after);
  options.ready.text = arguments.ready_text;
  if (!arguments.ready_file.empty()) options.ready.files = {fs::absolute(arguments.ready_file)};
  options.edit = arguments.edit;
  options.runs_fresh = arguments.runs_fresh;
  return options;
}

// Options that mean nothing together.
Result<void> check_together(const WatchArguments& arguments) {
  const auto refuse = [](const char* option, const char* message) {
    return failure(Error{ErrorKind::bad_input, message, {}, 0, option});
  };
  const int ready = (arguments.ready_after >= 0 ? 1 : 0) + (arguments.ready_text.empty() ? 0 : 1) +
                    (arguments.ready_file.empty() ? 0 : 1);
  if (ready > 1)
    return refuse("--ready-text", "expected one of --ready-text, --ready-file, --ready-after");
  if (!arguments.edit.empty() && arguments.uses_own_caches)
    return refuse("--edit", "expected caches of the watch's own: leave out --use-my-caches");
  if (!arguments.edit.empty() && arguments.runs < 2)
    return refuse("--edit", "expected a warm run before the edit: --runs 2 or more");
  if (arguments.runs_fresh && !arguments.uses_own_caches && arguments.edit.empty())
    return refuse("--fresh",
                  "expected caches that can be stale: give --use-my-caches or --edit with it");
  return {};
}

// Names of variables, and paths below a home folder.
Result<void> check_caches(const WatchArguments& arguments) {
  const auto refuse = [](const char* option, const char* expected, const std::string& found) {
    return failure(Error{ErrorKind::bad_input,
                         fmt::format("expected {}, found \"{}\"", expected, found),
                         {},
                         0,
                         option});
  };
  for (const std::string& name : arguments.cache_variables) {
    const bool is_name = !name.empty() && name.find_first_not_of(
                                              "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                              "0123456789_") == name.npos;
    if (!is_name || name == "PATH" || name == "HOME" || name.starts_with("LD_"))
      return refuse("--cache", "the name of a variable that names a folder of a cache", name);
  }
  for (const std::string& path : arguments.hidden) {
    const fs::path normal = fs::path(path).lexically_normal();
    if (path.empty() || normal.is_absolute() || normal == "." || *normal.begin() == "..")
      return refuse("--hide", "a path below your home, such as .cache/mine", path);
  }
  return {};
}

int watch_and_report(const WatchArguments& arguments) {
  if (arguments.asks_include) {
    print(find_resources().include.string() + "\n");
    return held;
  }
  if (arguments.command.empty())
    return report(Error{ErrorKind::bad_input,
                        "expected a program after --: tunecheck watch -- python train.py",
                        {},
                        0,
                        {}});
  if (const auto checked = check_caches(arguments); !checked) return report(checked.error());
  if (const auto checked = check_together(arguments); !checked) return report(checked.error());
  const auto options = options_of(arguments);
  if (!options) return report(options.error());
  const auto allowed = allowed_words(arguments);
  if (!allowed) return report(allowed.error());
  std::optional<WatchResult> baseline;
  if (!arguments.baseline.empty()) {
    auto read = read_watch(arguments.baseline);
    if (!read) return report(read.error());
    baseline = std::move(*read);
  }
  const auto lock = lock_out(arguments.out);
  if (!lock) return report(lock.error());
  auto result = watch::watch_program(*options, [&](const std::string& line) {
    if (arguments.detail != Detail::quiet) print("tunecheck watch: " + line + "\n");
    (void)flushed(held);
  });
  if (!result) return report(result.error());
  result->tunecheck = version();
  for (WatchResult::Finding& finding : result->findings) {
    finding.is_allowed =
        std::find(allowed->begin(), allowed->end(), finding.word) != allowed->end();
    finding.is_new = !baseline || !has(*baseline, finding);
  }
  const fs::path file = fs::path(arguments.out) / "watch.json";
  const auto written = write_file_atomically(file, to_json(*result));
  TerminalOptions terminal = terminal_options(arguments.out);
  terminal.detail = arguments.detail;
  if (arguments.detail != Detail::quiet) print("\n");
  print(watch_page(*result, terminal));
  if (!written) return report(written.error());
  return result->exit_status();
}

}  // namespace

void add_watch_command(CLI::App& app, Action& action) {
  const auto arguments = std::make_shared<WatchArguments>();
  CLI::App& command = *app.add_subcommand(
      "watch", "Run your own program cold and warm, unchanged, and say what its tuners did");
  command
      .add_option("PROGRAM", arguments->command,
                  "The program and its arguments, after --; it keeps the terminal")
      ->type_name("");
  command
      .add_option("--runs", arguments->runs,
                  "Runs in all; the first is cold and the others are warm. 3 if not\n"
                  "given")
      ->transform(whole_number(1, 100))
      ->type_name("N");
  command.add_flag("--use-my-caches", arguments->uses_own_caches,
                   "Let the program find your own caches as they are; all runs are warm");
  add_repeatable(command, "--cache", arguments->cache_variables,
                 "A further variable that names the folder of a cache; may be given\n"
                 "several times",
                 "VARIABLE");
  add_repeatable(command, "--hide", arguments->hidden,
                 "A further folder or file below your home that the program is not to\n"
                 "find (.mytuner); may be given several times",
                 "PATH");
  command
      .add_option("--at-most", arguments->at_most,
                  "Look at the arguments of launches up to this size; those of larger\n"
                  "ones are only counted. 256M if not given")
      ->type_name("SIZE");
  command.add_flag("--keep-allocator", arguments->keeps_allocator,
                   "Let PyTorch keep freed memory of a GPU, as it does without a watch;\n"
                   "fewer results can be looked at then");
  command
      .add_option("--time-limit", arguments->time_limit,
                  "End a run after so many whole seconds; never if not given")
      ->transform(whole_number(1, 1'000'000))
      ->type_name("S");
  command
      .add_option("--ready-text", arguments->ready_text,
                  "The program is ready when it prints this; what is tuned or compiled\n"
                  "later is LATE")
      ->type_name("TEXT");
  command
      .add_option("--ready-file", arguments->ready_file,
                  "It is ready when it makes this file, or writes it anew")
      ->type_name("FILE");
  command
      .add_option("--ready-after", arguments->ready_after,
                  "It is ready so many whole seconds after its start")
      ->transform(whole_number(0, 1'000'000))
      ->type_name("S");
  command
      .add_option("--edit", arguments->edit,
                  "After the warm runs, edit by this shell command what the program is\n"
                  "made from; then run it once more on the same caches and twice on empty\n"
                  "ones, to see whether something STALE is launched")
      ->type_name("COMMAND");
  command.add_flag("--fresh", arguments->runs_fresh,
                   "With --use-my-caches: run it twice more on empty caches at the end, to\n"
                   "see whether something STALE is launched from yours");
  add_repeatable(command, "--allow", arguments->allowed,
                 "A word that is not to fail the command (COMPILED, EVERY_STEP); may\n"
                 "be given several times",
                 "WORD");
  command
      .add_option("--baseline", arguments->baseline,
                  "An earlier watch.json: only findings that it does not have fail")
      ->type_name("FILE");
  command.add_flag("--include", arguments->asks_include,
                   "Print the folder of tunecheck/cpu_kernel.h and run nothing");
  add_out(command, arguments->out);
  add_detail(command, arguments->detail);
  set_examples(command,
               "  tunecheck watch -- python train.py\n"
               "  tunecheck watch --runs 2 --allow COMPILED -- ./server --once\n"
               "  tunecheck watch --baseline watch.json -- python -m pytest tests\n"
               "  tunecheck watch --cache MY_CACHE_DIR -- python train.py\n"
               "  tunecheck watch --ready-text 'startup complete' -- python server.py\n"
               "  tunecheck watch --edit 'git apply change.patch' -- python train.py\n");
  command.callback(
      [arguments, &action] { action = [arguments] { return watch_and_report(*arguments); }; });
}

}  // namespace tunecheck::cli
