#pragma once
// Runs the real compiler.
#include <string>
#include <vector>

#include "core/result.hpp"

namespace tunecheck::spy {

/// How the compiler ended: a signal, or where that is 0 its exit status.
struct ChildEnd {
  int exit_status = 0;
  int signal = 0;
  [[nodiscard]] bool success() const { return exit_status == 0 && signal == 0; }
  /// As a shell tells it: 128 + signal.
  [[nodiscard]] int shell_status() const { return signal != 0 ? 128 + signal : exit_status; }
};

/// Where the child's stdout and stderr go; -1: to this process's own.
struct ChildOutput {
  int out = -1;
  int err = -1;
};

/// Starts arguments[0] and waits for its end. Signals that ask this process to stop are handed to
/// the child; the child is killed where this process is. An error where it cannot be started. One
/// thread.
[[nodiscard]] Result<ChildEnd> run_child(const std::vector<std::string>& arguments,
                                         ChildOutput output = {});

}  // namespace tunecheck::spy
