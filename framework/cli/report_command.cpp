// tunecheck report: results in the format that somebody wants to read.
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/out_file.hpp"
#include "cli/usage.hpp"
#include "core/files.hpp"
#include "reports/report_formats.hpp"

namespace tunecheck::cli {
namespace {

namespace fs = std::filesystem;

struct ReportArguments {
  std::string format;
  std::vector<std::string> results, base;
  std::string out, repository, artifact, documentation;
  bool with_known = false;
  std::int64_t limit = 0;
  Detail detail = Detail::normal;
  std::vector<std::string> given;  ///< the options of the command line
};

// What a format makes no use of.
Result<void> check_options(const ReportArguments& arguments) {
  if (arguments.format != "markdown")
    TUNECHECK_CHECK(check_effect(arguments.given, {"--limit", "--artifact"}, "for markdown alone"));
  if (arguments.format != "sarif")
    TUNECHECK_CHECK(
        check_effect(arguments.given, {"--documentation", "--known"}, "for sarif alone"));
  const bool has_links = arguments.format == "markdown" || arguments.format == "html";
  if (!has_links)
    TUNECHECK_CHECK(check_effect(arguments.given, {"--repository"}, "for markdown and html alone"));
  if (!has_links && arguments.format != "terminal")
    TUNECHECK_CHECK(
        check_effect(arguments.given, {"--base"}, "for terminal, markdown and html alone"));
  if (arguments.format != "terminal")
    TUNECHECK_CHECK(check_effect(arguments.given, {"--quiet", "--verbose"}, "for terminal alone"));
  return {};
}

// A session of the gate, a watch and a history bring what they compare with along.
Result<void> read_base(const ReportArguments& arguments, ReportInput& input) {
  TUNECHECK_TRY(ReportSources base, read_report_sources(to_paths(arguments.base)));
  const auto refuse = [](const std::string& file) {
    return failure(Error{ErrorKind::bad_input,
                         "expected a file that `tunecheck run` or `tunecheck audit` wrote", file, 0,
                         "--base"});
  };
  if (!base.gates.empty()) return refuse(base.gates.front().file);
  if (!base.watches.empty()) return refuse(base.watches.front().file);
  if (!base.histories.empty()) return refuse(base.histories.front().file);
  if (!base.matrices.empty()) return refuse(base.matrices.front().file);
  if (!base.audits.empty() && arguments.format != "html")
    return failure(Error{ErrorKind::bad_input,
                         "expected a file that `tunecheck run` wrote: only the format html shows "
                         "an audit",
                         base.audits.front().file, 0, "--base"});
  // One that nothing could be compared with would be ignored without a word.
  const auto check_has_use = [](bool has_use, const std::string& file,
                                std::string_view command) -> Result<void> {
    if (has_use) return {};
    return failure(Error{ErrorKind::bad_input,
                         fmt::format("expected a base of the same kind as the report: `tunecheck "
                                     "{0}` wrote this file, and no result of the report",
                                     command),
                         file, 0, "--base"});
  };
  if (!base.runs.empty()) {
    TUNECHECK_CHECK(check_has_use(!input.sources.runs.empty(), base.runs.front().file, "run"));
  }
  if (!base.audits.empty()) {
    TUNECHECK_CHECK(
        check_has_use(!input.sources.audits.empty(), base.audits.front().file, "audit"));
  }
  input.base = std::move(base.runs);
  input.base_audits = std::move(base.audits);
  return {};
}

Result<ReportInput> input_of(const ReportArguments& arguments) {
  ReportInput input;
  TUNECHECK_TRY(input.sources, read_report_sources(to_paths(arguments.results)));
  TUNECHECK_CHECK(read_base(arguments, input));
  input.terminal = terminal_options();
  input.terminal.colour = input.terminal.colour && arguments.out.empty();
  input.terminal.detail = arguments.detail;
  input.root = fs::current_path();
  input.most_bytes = static_cast<std::size_t>(arguments.limit);
  input.folder = arguments.out.empty()
                     ? fs::current_path()
                     : fs::absolute(arguments.out).lexically_normal().parent_path();
  input.repository = arguments.repository;
  input.artifact = arguments.artifact;
  input.documentation = arguments.documentation;
  input.with_known = arguments.with_known;
  input.version = version();
  return input;
}

// A report does not replace what it is made of.
Result<void> check_out(const ReportArguments& arguments) {
  std::vector<std::string> sources = arguments.results;
  sources.insert(sources.end(), arguments.base.begin(), arguments.base.end());
  return check_out_file(arguments.out, sources, "report");
}

int report_on(const ReportArguments& arguments) {
  if (const auto checked = check_options(arguments); !checked) return report(checked.error());
  if (const auto checked = check_out(arguments); !checked) return report(checked.error());
  const auto input = input_of(arguments);
  if (!input) return report(input.error());
  const auto text = find_report_format(arguments.format)->make(*input);
  if (!text) return report(text.error());
  if (arguments.out.empty()) {
    print(*text);
  } else if (const auto written = write_output(arguments.out, *text); !written) {
    return report(written.error());
  }
  return held;
}

std::string format_list() {
  std::string text;
  for (const ReportFormat& format : report_formats())
    text += fmt::format("{}{}: {}", text.empty() ? "" : "\n", format.name, format.summary);
  return text;
}

std::string check_address(const std::string& address) {
  if (address.starts_with("https://") || address.starts_with("http://")) return {};
  return fmt::format("expected an address that begins with https:// or http://, found \"{}\"",
                     address);
}

void add_address(CLI::App& command, const std::string& name, std::string& address,
                 const std::string& description) {
  command.add_option(name, address, description)->check(check_address)->type_name("URL");
}

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const ReportFormat& format : report_formats())
    names.emplace_back(format.name);
  return names;
}

}  // namespace

void add_report_command(CLI::App& app, Action& action) {
  const auto arguments = std::make_shared<ReportArguments>();
  CLI::App& command =
      *app.add_subcommand("report", "Write a report of results, in one of several formats");
  command.add_option("FORMAT", arguments->format, format_list())
      ->required()
      ->check(known_word("format", format_names()))
      ->type_name("");
  command
      .add_option("RESULT", arguments->results,
                  "Files that `tunecheck run`, `gate` or `watch` wrote; parts of one run are\n"
                  "merged. For html, also those of `tunecheck audit`, `tunecheck history\n"
                  "changes --format json`, and `tunecheck matrix --format json` alone")
      ->required()
      ->type_name("");
  add_repeatable(command, "--base", arguments->base,
                 "A result of `tunecheck run` to compare with, for terminal, markdown and\n"
                 "html; or one of `tunecheck audit`, for html; may be given several times",
                 "RESULT");
  add_address(command, "--repository", arguments->repository,
              "The address of the tuner's repository, for links to its commits, for\n"
              "markdown and html");
  add_address(command, "--artifact", arguments->artifact,
              "The address where the whole report will be found, for markdown");
  add_address(command, "--documentation", arguments->documentation,
              "The address of tunecheck's folder docs/, where rules have their help, for\n"
              "sarif");
  command.add_flag("--known", arguments->with_known,
                   "Also failures that are known, as suppressed, for sarif");
  command.add_option("--out", arguments->out, "File for the report; stdout if not given")
      ->check(not_empty("a file"))
      ->type_name("FILE");
  command
      .add_option("--limit", arguments->limit,
                  "Largest size of a markdown page, in bytes; 65536 if not given")
      ->transform(whole_number(1000, std::numeric_limits<std::int64_t>::max()))
      ->type_name("N");
  add_detail(command, arguments->detail);
  set_examples(command,
               "  tunecheck report terminal out/result.json --verbose\n"
               "  tunecheck report junit shard-1/result.json shard-2/result.json --out junit.xml\n"
               "  tunecheck report markdown out/result.json --base main/result.json\n"
               "  tunecheck report markdown out/gate.json\n"
               "  tunecheck report annotations out/result.json\n"
               "  tunecheck report sarif out/result.json --out tunecheck.sarif\n"
               "  tunecheck report html out/result.json out/gate.json --out report.html\n");
  command.callback([arguments, &command, &action] {
    arguments->given = given_options(command);
    action = [arguments] { return report_on(*arguments); };
  });
}

}  // namespace tunecheck::cli
