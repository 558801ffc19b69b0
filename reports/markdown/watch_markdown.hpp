#pragma once
// A watch as a part of a page in Markdown.
#include "reports/markdown/markdown_blocks.hpp"
#include "result/watch_result.hpp"

namespace tunecheck {

/// A row for each finding, no more than `most`.
void add_watch(const WatchResult& watch, std::size_t most, MarkdownBlocks& blocks);

/// The runs, and what could not be seen.
void add_watch_details(const WatchResult& watch, MarkdownBlocks& blocks);

}  // namespace tunecheck
