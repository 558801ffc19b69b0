#pragma once
// What is another in a later watch than in an earlier one, as a page in Markdown.
#include <cstddef>
#include <string>

#include "result/watch_diff.hpp"

namespace tunecheck {

/// The verdict, findings, the worse first, and the numbers of runs and kernels; no more than `most`
/// bytes, as to_markdown() has it.
[[nodiscard]] std::string watch_diff_markdown(const WatchDiff& diff, std::size_t most);

}  // namespace tunecheck
