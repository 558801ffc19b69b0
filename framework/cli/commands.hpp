#pragma once
// The subcommands, each in a file of its own.
#include <functional>

#include <CLI/App.hpp>

namespace tunecheck::cli {

/// What the command line asked for; returns the exit status.
using Action = std::function<int()>;

// Each adds its subcommand, which sets `action` when it is on the command line. `action` must
// outlive the app's parse().
void add_run_command(CLI::App& app, Action& action);
void add_merge_command(CLI::App& app, Action& action);
void add_watch_command(CLI::App& app, Action& action);
void add_report_command(CLI::App& app, Action& action);
void add_matrix_command(CLI::App& app, Action& action);
void add_audit_command(CLI::App& app, Action& action);
void add_gate_command(CLI::App& app, Action& action);
void add_history_command(CLI::App& app, Action& action);
void add_kernels_command(CLI::App& app, Action& action);
void add_new_command(CLI::App& app, Action& action);
void add_scenarios_command(CLI::App& app, Action& action);
void add_checks_command(CLI::App& app, Action& action);
void add_doctor_command(CLI::App& app, Action& action);

/// `cache` is in the list of commands, and does nothing here: whatever follows it belongs to
/// tunecheck-cache, which run_cache_program() becomes. `arguments` begin with "cache". Returns only
/// where that program cannot be started, with the exit status.
void add_cache_command(CLI::App& app);
[[nodiscard]] int run_cache_program(char** arguments);

}  // namespace tunecheck::cli
