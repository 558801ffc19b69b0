// The program tunecheck.
#include <exception>
#include <filesystem>
#include <string_view>

#include <CLI/CLI.hpp>  // App.hpp alone leaves the formatter without a definition

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/usage.hpp"
#include "core/command.hpp"
#include "core/plain_text.hpp"

int main(int count, char** arguments) {
  using namespace tunecheck;
  using namespace tunecheck::cli;
  if (count > 1 && std::string_view(arguments[1]) == "cache")
    return run_cache_program(arguments + 1);
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
  CLI::App app;
  Action action;
  describe_program(app);
  add_run_command(app, action);
  add_merge_command(app, action);
  add_watch_command(app, action);
  add_report_command(app, action);
  add_matrix_command(app, action);
  add_audit_command(app, action);
  add_gate_command(app, action);
  add_history_command(app, action);
  add_kernels_command(app, action);
  add_new_command(app, action);
  add_scenarios_command(app, action);
  add_checks_command(app, action);
  add_doctor_command(app, action);
  add_cache_command(app);
  try {
    app.parse(count, arguments);
    return flushed(action());
  } catch (const CLI::CallForHelp&) {
    print(app.help());
  } catch (const CLI::CallForVersion&) {
    print("tunecheck " + version() + "\n");
  } catch (const CLI::ParseError& error) {
    return report(usage_error(app, error));
  } catch (const std::exception& error) {
    return report({ErrorKind::internal, std::string("internal error: ") + error.what(), {}, 0, {}});
  }
  return flushed(held);
}
