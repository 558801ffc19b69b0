#pragma once
// What watching a program found, on a terminal: what could not be seen, then the findings, the
// gravest first, and the verdict last.
#include <string>

#include "reports/terminal/terminal.hpp"
#include "result/watch_result.hpp"

namespace tunecheck {

[[nodiscard]] std::string watch_page(const WatchResult& result, const TerminalOptions& options);

/// The last line of the page.
[[nodiscard]] std::string verdict_text(const WatchResult& result);

/// "sgd (train.py:9, launched at train.py:53)", as much of it as is known.
[[nodiscard]] std::string subject_text(const WatchResult::Finding& finding);

/// "train.py:9", as much of it as is known.
[[nodiscard]] std::string place_text(const WatchResult::Place& place);

/// The line at which somebody looks for the cause: where the kernel is defined, unless that is in
/// an installed package or, other than the launch, outside of the watch's working folder; then
/// where the program launches it.
[[nodiscard]] const WatchResult::Place& cause_of(const WatchResult::Finding& finding);

}  // namespace tunecheck
