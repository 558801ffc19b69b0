#pragma once
// A run as a part of a page in Markdown.
#include "reports/markdown/markdown_blocks.hpp"
#include "result/verdict.hpp"

namespace tunecheck {

/// The causes of its failures, and what changed against `base`, which may be null: a few lines.
void add_run_causes(const RunResult& run, const RunResult* base, std::size_t most_causes,
                    MarkdownBlocks& blocks);

/// Its failures, each folded, within one fold that names the tuner; new ones first.
void add_run_failures(const RunResult& run, const RunResult* base, MarkdownBlocks& blocks);

/// Known failures, what was not run or not asked, families: each folded.
void add_run_details(const RunResult& run, bool is_alone, MarkdownBlocks& blocks);

}  // namespace tunecheck
