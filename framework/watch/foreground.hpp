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

/// Starts the program in this process's group, with its input, output and terminal, and waits for
/// its end. `in_child` runs in a copy of this process between fork and exec, and may make
/// async-signal-safe calls only. `started` is called once the child exists. SIGINT, SIGTERM and
/// SIGHUP that are sent to this process are handed on; those of the terminal reach the child by
/// themselves.
[[nodiscard]] Result<ForegroundEnd> run_in_foreground(
    const std::vector<std::string>& command, const Environment& environment,
    std::optional<std::chrono::seconds> time_limit, const std::function<void()>& in_child);

}  // namespace tunecheck::watch
