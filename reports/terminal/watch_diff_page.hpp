#pragma once
// What is another in a later watch than in an earlier one, on a terminal: findings, the worse
// first, then runs and kernels whose numbers differ, and the verdict last.
#include <string>

#include "reports/terminal/terminal.hpp"
#include "result/watch_diff.hpp"

namespace tunecheck {

[[nodiscard]] std::string watch_diff_page(const WatchDiff& diff, const TerminalOptions& options);

/// What the page of the later watch does not say: which findings are fixed, and the numbers.
[[nodiscard]] std::string watch_diff_part(const WatchDiff& diff, const TerminalOptions& options);

/// The last line of the page.
[[nodiscard]] std::string verdict_text(const WatchDiff& diff);

/// "new", or what else is to be said: "new, allowed", "unclear".
[[nodiscard]] std::string change_text(const WatchDiff::Finding& finding);

/// "3 -> 5", "3" where it is the same; "none -> 5" where one of them has nothing.
[[nodiscard]] std::string change_text(const WatchDiff::Pair& pair,
                                      std::int64_t WatchDiff::Numbers::*number);
/// The same of times: "1.20 s -> 0.80 s".
[[nodiscard]] std::string time_text(const WatchDiff::Pair& pair);

}  // namespace tunecheck
