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
  std::string at_most = "256M", baseline;
  std::int64_t time_limit = 0;
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
  return options;
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
               "  tunecheck watch --cache MY_CACHE_DIR -- python train.py\n");
  command.callback(
      [arguments, &action] { action = [arguments] { return watch_and_report(*arguments); }; });
}

}  // namespace tunecheck::cli
