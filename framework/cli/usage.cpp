#include "cli/usage.hpp"

#include <algorithm>

#include "cli/config/config_file.hpp"
#include "core/info.hpp"
#include "judge/run/version.hpp"
#include "reports/report_schemas.hpp"
#include "reports/stored/list_json.hpp"

namespace tunecheck::cli {
namespace {

constexpr const char* exit_statuses =
    "Exit status:\n"
    "  0  all held\n"
    "  1  a check failed, a kernel is not proved, or the audit is incomplete\n"
    "  2  a regression\n"
    "  3  a mistake in the command line or a file: one line \"file:line: key: what was expected\"\n"
    "  4  the run itself is not to be trusted: nothing ran, evidence is missing\n"
    "  5  inconclusive, if you asked for that to be a failure\n"
    "  When several apply: the first of 4, 3, 1, 2, 5.\n";

// The subcommand that the command line got to.
CLI::App& innermost(CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : innermost(*chosen.back());
}

std::vector<std::string> known_words(CLI::App& command, bool options) {
  std::vector<std::string> words;
  if (options) {
    for (const CLI::Option* option : command.get_options())
      for (const std::string& name : option->get_lnames())
        words.push_back("--" + name);
  } else {
    for (const CLI::App* subcommand : command.get_subcommands(nullptr))
      words.push_back(subcommand->get_name());
  }
  return words;
}

std::string command_line(const CLI::App& command) {
  const CLI::App* const parent = command.get_parent();
  return parent == nullptr ? "tunecheck" : command_line(*parent) + " " + command.get_name();
}

}  // namespace

std::string version() {
  return version_text;
}

std::string version_json() {
  listed::Version all;
  all.tunecheck_version = version();
  all.protocol = adapter_protocol_version;
  for (const auto& [name, schema_version] : schema_versions())
    all.schemas[name] = schema_version;
  return list_json(all);
}

void describe_program(CLI::App& app) {
  app.name("tunecheck");
  app.description(
      "Verifies kernel autotuners: does a tuner return right results while it tunes, reuse a\n"
      "winner from disk without compiling, and discard it exactly when it must?\n");
  app.set_version_flag("--version", "tunecheck " + version(), "Print the version and exit");
  app.add_flag_callback(
      "--json", [] {}, "With --version: for programs");
  app.add_flag_callback(
      std::string(no_config_option), [] {},
      "Read no tunecheck.info; may stand behind a command as well");
  app.require_subcommand(1);
  app.get_formatter()->column_width(28);
  app.footer(
      std::string("\nExamples:\n"
                  "  tunecheck demo                              a broken tuner, and how it looks\n"
                  "  tunecheck doctor                            what is here and what is missing\n"
                  "  tunecheck run                               all scenarios, reference tuner\n"
                  "  tunecheck run 'reload.*' --adapter NAME     some scenarios, another tuner\n"
                  "  tunecheck run 'restore.*' --adapter mutant:no_restore\n"
                  "                                              a tuner with a planted bug\n"
                  "  tunecheck report markdown out/result.json   a report from a result\n"
                  "  tunecheck matrix a.json b.json              results of several tuners\n"
                  "  tunecheck audit                             does every check catch a bug?\n"
                  "  tunecheck kernels prove axpy_inplace        does it reject errors?\n"
                  "  tunecheck new kernel mine --in-place        a kernel to start from\n"
                  "\nA run leaves result.json, junit.xml and the evidence of what failed in out/.\n"
                  "`tunecheck COMMAND --help` explains a command.\n\n") +
      exit_statuses);
}

void set_examples(CLI::App& command, const std::string& examples) {
  command.footer("\nExamples:\n" + examples);
}

bool lacks_command(CLI::App& app) {
  const CLI::App& command = innermost(app);
  return command.get_require_subcommand_min() > 0 && command.get_subcommands().empty() &&
         app.remaining(true).empty();
}

Error usage_error(CLI::App& app, const CLI::ParseError& error) {
  CLI::App& command = innermost(app);
  const std::string help = command_line(command) + " --help";
  std::vector<std::string> remaining = app.remaining(true);
  // What is behind it is no mistake.
  remaining.erase(std::find(remaining.begin(), remaining.end(), "--"), remaining.end());
  Error result{ErrorKind::bad_input, error.what(), {}, 0, {}};
  if (!remaining.empty()) {
    const std::string& word = remaining.front();
    const bool option = word.starts_with('-');
    const std::vector<std::string> known = known_words(command, option);
    result.message = known.empty()
                         ? "unexpected argument \"" + word + "\"; see " + help
                         : unknown_word_message(option ? "option" : "command", word, known);
  } else {
    if (lacks_command(app)) {
      result.message = "expected a command; see " + help;
      return result;
    }
    std::replace(result.message.begin(), result.message.end(), '\n', ' ');
    result.message += "; see " + help;
  }
  return result;
}

}  // namespace tunecheck::cli
