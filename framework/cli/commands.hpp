#pragma once
// The subcommands, each in a file of its own.
#include <functional>
#include <string>
#include <vector>

#include <CLI/App.hpp>

namespace tunecheck::cli {

/// What the command line asked for; returns the exit status.
using Action = std::function<int()>;

// Each adds its subcommand, which sets `action` when it is on the command line. `action` must
// outlive the app's parse().
void add_demo_command(CLI::App& app, Action& action);
void add_run_command(CLI::App& app, Action& action);
void add_merge_command(CLI::App& app, Action& action);
void add_watch_command(CLI::App& app, Action& action);
void add_report_command(CLI::App& app, Action& action);
void add_matrix_command(CLI::App& app, Action& action);
void add_audit_command(CLI::App& app, Action& action);
void add_gate_command(CLI::App& app, Action& action);
void add_history_command(CLI::App& app, Action& action);
void add_kernels_command(CLI::App& app, Action& action);
void add_tables_command(CLI::App& app, Action& action);
void add_new_command(CLI::App& app, Action& action);
void add_scenarios_command(CLI::App& app, Action& action);
void add_checks_command(CLI::App& app, Action& action);
void add_adapters_command(CLI::App& app, Action& action);
void add_mutants_command(CLI::App& app, Action& action);
void add_doctor_command(CLI::App& app, Action& action);

void add_completion_command(CLI::App& app, Action& action);
void add_man_command(CLI::App& app, Action& action);

/// What `tunecheck completion words -- WORDS...` prints: a word a line, and behind a tab what it
/// means. Shells ask it with each key, so it reads nothing that it does not need.
[[nodiscard]] int complete_words(CLI::App& app, const std::vector<std::string>& words);

inline constexpr const char* cache_command_name = "cache";
/// Its action becomes the program tunecheck-cache with the same words. `words` are those of the
/// whole command line without --no-config; they must outlive the action.
void add_cache_command(CLI::App& app, Action& action, const std::vector<std::string>& words);

}  // namespace tunecheck::cli
