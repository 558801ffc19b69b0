#pragma once
// A child that has the terminal.
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/command.hpp"
#include "core/result.hpp"

namespace tunecheck::watch {

struct ForegroundEnd {
  ProcessEnd end;
  bool was_interrupted = false;
  int left_behind = 0;
};

struct ForegroundStart {
  std::vector<std::string> command;  ///< the program first
  Environment environment;           ///< all of it
  bool has_input = true;             ///< this process's own; else it finds the end at once
  std::optional<std::chrono::seconds> time_limit;
  /// What it gets as output and error output; -1: this process's own.
  int output = -1;
  int error_output = -1;
  /// Runs in a copy of this process between fork and exec: async-signal-safe calls only.
  std::function<void()> in_child;
};

/// Starts the program with this process's input, output and terminal, and waits for its end. It has
/// a process group of its own, which is the terminal's where this process's was: what the program
/// does to its group does not reach this process. SIGINT, SIGTERM and SIGHUP that are sent to this
/// process are handed on; the second one kills. It dies with this process.
[[nodiscard]] Result<ForegroundEnd> run_in_foreground(const ForegroundStart& start);

}  // namespace tunecheck::watch
