#pragma once
// What watching a program found, on a terminal: what could not be seen, then the findings, the
// gravest first, and the verdict last.
#include <string>

#include "reports/terminal/terminal.hpp"
#include "result/watch_result.hpp"

namespace tunecheck {

[[nodiscard]] std::string watch_page(const WatchResult& result, const TerminalOptions& options);

}  // namespace tunecheck
