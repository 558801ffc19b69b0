// tunecheck watch: somebody's own program, run cold and warm and not changed.
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/out_lock.hpp"
#include "cli/usage.hpp"
#include "core/byte_size.hpp"
#include "core/files.hpp"
#include "core/info.hpp"
#include "core/resources.hpp"
#include "reports/html/html_report.hpp"
#include "reports/markdown/markdown.hpp"
#include "reports/markdown/watch_diff_markdown.hpp"
#include "reports/stored/watch_json.hpp"
#include "reports/terminal/watch_diff_page.hpp"
#include "reports/terminal/watch_page.hpp"
#include "result/watch_diff.hpp"
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
  std::vector<std::string> compared;
  std::string format = "terminal";
  std::vector<std::string> given;  ///< the options of the command line
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
          Error{ErrorKind::bad_input, unknown_word_message("word", name, names), {}, 0, "--allow"});
    words.push_back(all_watch_words()[static_cast<std::size_t>(found - names.begin())]);
  }
  return words;
}

// As they can be given again. --out is left out: a watch that is repeated keeps what the first
// left.
std::vector<std::string> repeated_options(const WatchArguments& arguments) {
  std::vector<std::string> words;
  const WatchArguments unchanged;
  const auto add = [&](const char* option, const std::string& value) {
    words.insert(words.end(), {option, value});
  };
  const auto add_all = [&](const char* option, const std::vector<std::string>& values) {
    for (const std::string& value : values)
      add(option, value);
  };
  if (arguments.runs != unchanged.runs) add("--runs", fmt::format("{}", arguments.runs));
  if (arguments.uses_own_caches) words.emplace_back("--use-my-caches");
  add_all("--cache", arguments.cache_variables);
  add_all("--hide", arguments.hidden);
  if (arguments.at_most != unchanged.at_most) add("--at-most", arguments.at_most);
  if (arguments.time_limit > 0) add("--time-limit", fmt::format("{}", arguments.time_limit));
  if (!arguments.ready_text.empty()) add("--ready-text", arguments.ready_text);
  if (!arguments.ready_file.empty()) add("--ready-file", arguments.ready_file);
  if (arguments.ready_after >= 0) add("--ready-after", fmt::format("{}", arguments.ready_after));
  if (!arguments.edit.empty()) add("--edit", arguments.edit);
  if (arguments.runs_fresh) words.emplace_back("--fresh");
  add_all("--allow", arguments.allowed);
  if (!arguments.baseline.empty()) add("--baseline", arguments.baseline);
  return words;
}

Result<watch::WatchOptions> options_of(const WatchArguments& arguments) {
  watch::WatchOptions options;
  options.command = arguments.command;
  options.out = fs::absolute(arguments.out) / "watch";
  options.warm_runs = arguments.uses_own_caches ? arguments.runs : arguments.runs - 1;
  options.uses_own_caches = arguments.uses_own_caches;
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
  if (std::find(arguments.given.begin(), arguments.given.end(), "--ready-text") !=
          arguments.given.end() &&
      arguments.ready_text.empty())
    return failure(Error{ErrorKind::bad_input,
                         "expected a text that the program prints when it is ready, found nothing",
                         {},
                         0,
                         "--ready-text"});
  const int ready = (arguments.ready_after >= 0 ? 1 : 0) + (arguments.ready_text.empty() ? 0 : 1) +
                    (arguments.ready_file.empty() ? 0 : 1);
  if (ready > 1)
    return refuse("--ready-text", "expected one of --ready-text, --ready-file, --ready-after");
  if (!arguments.edit.empty() && arguments.uses_own_caches)
    return refuse("--edit", "expected caches of the watch's own: leave out --use-my-caches");
  if (!arguments.edit.empty() && arguments.runs < 2)
    return refuse("--edit", "expected a warm run before the edit: --runs 2 or more");
  for (const bool is_cache : {true, false})
    if (arguments.uses_own_caches &&
        !(is_cache ? arguments.cache_variables : arguments.hidden).empty())
      return refuse(is_cache ? "--cache" : "--hide",
                    "expected caches of the watch's own: leave out --use-my-caches");
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

// watch.json, and the same for a browser where this program has the page.
Result<void> write(const WatchResult& result, const fs::path& out) {
  TUNECHECK_CHECK(write_file_atomically(out / "watch.json", to_json(result)));
  if (!has_html_reports()) return {};
  ReportSources sources;
  sources.watches.push_back({(out / "watch.json").string(), result});
  TUNECHECK_TRY(const std::string page, html_report(sources, {{}, version()}));
  return write_file_atomically(out / "watch.html", page);
}

bool is_in(const std::vector<WatchWord>& words, WatchWord word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Two watches that are over.
int compare(const WatchArguments& arguments) {
  if (!arguments.command.empty())
    return report(Error{
        ErrorKind::bad_input, "expected no program next to --diff, which runs nothing", {}, 0, {}});
  const std::vector<std::string_view> of_runs = {
      "--runs",       "--use-my-caches",  "--cache",    "--hide",    "--at-most",
      "--time-limit", "--keep-allocator", "--baseline", "--include", "--out"};
  if (const auto checked = check_effect(arguments.given, of_runs,
                                        "only where a program is watched, not with --diff");
      !checked)
    return report(checked.error());
  const auto allowed = allowed_words(arguments);
  if (!allowed) return report(allowed.error());
  const auto before = read_watch(arguments.compared[0]);
  if (!before) return report(before.error());
  auto now = read_watch(arguments.compared[1]);
  if (!now) return report(now.error());
  for (WatchResult::Finding& finding : now->findings)
    finding.is_allowed = finding.is_allowed || is_in(*allowed, finding.word);
  WatchDiff diff = diff_of(*before, *now);
  diff.tunecheck = version();
  diff.before = arguments.compared[0];
  diff.now = arguments.compared[1];
  TerminalOptions terminal = terminal_options();
  terminal.detail = arguments.detail;
  print(arguments.format == "json"       ? to_json(diff)
        : arguments.format == "markdown" ? watch_diff_markdown(diff, longest_comment)
                                         : watch_diff_page(diff, terminal));
  return diff.exit_status();
}

int watch_and_report(const WatchArguments& arguments) {
  if (!arguments.compared.empty()) return compare(arguments);
  if (const auto checked = check_effect(arguments.given, {"--format"}, "for --diff alone");
      !checked)
    return report(checked.error());
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
  result->options = repeated_options(arguments);
  for (WatchResult::Finding& finding : result->findings) {
    finding.is_allowed = is_in(*allowed, finding.word);
    finding.is_new = !baseline || !is_known(*baseline, *result, finding);
  }
  const auto written = write(*result, arguments.out);
  TerminalOptions terminal = terminal_options(arguments.out);
  terminal.detail = arguments.detail;
  if (arguments.detail != Detail::quiet) print("\n");
  if (baseline) {
    WatchDiff diff = diff_of(*baseline, *result);
    diff.before = arguments.baseline;
    print(watch_diff_part(diff, terminal));
  }
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
                   "Changes nothing: PyTorch keeps its own allocator in any case. Accepted\n"
                   "for scripts that were written before");
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
                  "An earlier watch.json: only findings that it does not have fail, and\n"
                  "the page says what else is another")
      ->type_name("FILE");
  command
      .add_option("--diff", arguments->compared,
                  "Run nothing: compare two files watch.json, of two versions of a\n"
                  "program, say. Status 1 if the later one has a new finding")
      ->type_size(2)
      ->expected(1)
      ->type_name("OLD NEW");
  command
      .add_option("--format", arguments->format,
                  "Of --diff: terminal, markdown or json; terminal if not given")
      ->check(known_word("format", {"terminal", "markdown", "json"}))
      ->type_name("NAME");
  command.add_flag("--include", arguments->asks_include,
                   "Print the folder of tunecheck/cpu_kernel.h and run nothing");
  add_out(command, arguments->out);
  add_quiet(command, arguments->detail);
  set_examples(command,
               "  tunecheck watch -- python train.py\n"
               "  tunecheck watch --runs 2 --allow COMPILED -- ./server --once\n"
               "  tunecheck watch --baseline watch.json -- python -m pytest tests\n"
               "  tunecheck watch --cache MY_CACHE_DIR -- python train.py\n"
               "  tunecheck watch --ready-text 'startup complete' -- python server.py\n"
               "  tunecheck watch --edit 'git apply change.patch' -- python train.py\n"
               "  tunecheck watch --diff old/watch.json new/watch.json\n"
               "\n"
               "What was found is in out/watch.json, and for a browser in out/watch.html.\n");
  command.callback([arguments, &command, &action] {
    arguments->given = given_options(command);
    action = [arguments] { return watch_and_report(*arguments); };
  });
}

}  // namespace tunecheck::cli
