#pragma once
// A watch as a part of a page in Markdown.
#include "reports/markdown/markdown_blocks.hpp"
#include "result/watch_result.hpp"

namespace tunecheck {

/// The verdict, then a row for each finding.
void add_watch(const WatchResult& watch, MarkdownBlocks& blocks);

/// The runs, and what could not be seen.
void add_watch_details(const WatchResult& watch, MarkdownBlocks& blocks);

}  // namespace tunecheck
