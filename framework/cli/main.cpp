// The program tunecheck.
#include <algorithm>
#include <exception>
#include <filesystem>
#include <new>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>  // App.hpp alone leaves the formatter without a definition

#include "cli/commands.hpp"
#include "cli/config/config_file.hpp"
#include "cli/console.hpp"
#include "cli/usage.hpp"
#include "core/command.hpp"
#include "core/plain_text.hpp"

namespace {

// What the scripts for shells ask; see complete_words().
bool asks_for_words(const std::vector<std::string>& words) {
  return words.size() > 2 && words[0] == "completion" && words[1] == "words" && words[2] == "--";
}

}  // namespace

int main(int count, char** arguments) {
  using namespace tunecheck;
  using namespace tunecheck::cli;
  // Names end up in JSON, which knows nothing else.
  for (int i = 1; i < count; ++i)
    if (broken_utf8(arguments[i]))
      return report({ErrorKind::bad_input,
                     std::string("expected UTF-8 in the argument ") + arguments[i],
                     {},
                     0,
                     {}});
  std::error_code unknown;
  if (const auto folder = std::filesystem::current_path(unknown); broken_utf8(folder.native()))
    return report(
        {ErrorKind::bad_input, "expected UTF-8 in the name of the working folder", folder, 0, {}});
  end_children_with_this_process();
  std::vector<std::string> words(arguments + 1, arguments + count);
  const bool is_question = asks_for_words(words);
  const bool without_config = !is_question && take_no_config(words);
  CLI::App app;
  Action action;
  describe_program(app);
  add_demo_command(app, action);
  add_run_command(app, action);
  add_merge_command(app, action);
  add_watch_command(app, action);
  add_report_command(app, action);
  add_matrix_command(app, action);
  add_audit_command(app, action);
  add_gate_command(app, action);
  add_history_command(app, action);
  add_kernels_command(app, action);
  add_tables_command(app, action);
  add_new_command(app, action);
  add_scenarios_command(app, action);
  add_checks_command(app, action);
  add_adapters_command(app, action);
  add_mutants_command(app, action);
  add_doctor_command(app, action);
  add_completion_command(app, action);
  add_man_command(app, action);
  add_cache_command(app, action, words);
  if (is_question) return complete_words(app, {words.begin() + 3, words.end()});
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // in this order, says CLI11
    if (app.count("--json") > 0)
      return report({ErrorKind::bad_input, "expected next to --version alone", {}, 0, "--json"});
    if (!without_config)
      if (const auto applied = apply_config_here(app); !applied) return report(applied.error());
    return flushed(action());
  } catch (const CLI::CallForHelp&) {
    print(app.help());
  } catch (const CLI::CallForVersion&) {
    const bool for_programs = std::find(words.begin(), words.end(), "--json") != words.end();
    print(for_programs ? version_json() : "tunecheck " + version() + "\n");
  } catch (const CLI::ParseError& error) {
    if (lacks_command(app)) print(app.help());
    return report(usage_error(app, error));
  } catch (const std::bad_alloc&) {
    return report({ErrorKind::machine,
                   "this process gets no more memory; is one of the sizes larger than that?",
                   {},
                   0,
                   {}});
  } catch (const std::exception& error) {
    return report({ErrorKind::internal, std::string("internal error: ") + error.what(), {}, 0, {}});
  }
  return flushed(held);
}
