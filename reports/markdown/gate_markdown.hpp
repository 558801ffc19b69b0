#pragma once
// A session of the gate as a part of a page in Markdown.
#include "gate/rule/gate_result.hpp"
#include "reports/markdown/markdown_blocks.hpp"

namespace tunecheck {

/// What is not a pass, worst first: base, head, and the change with its interval against delta and
/// tolerance; no more than `most` rows.
void add_gate_verdict(const gate::GateResult& session, std::size_t most, MarkdownBlocks& blocks);

/// What else was found: all of what is not a pass, folded, where that is more than `most`; winners
/// that changed, what came and went, canaries, what could not be measured, what passed.
void add_gate_details(const gate::GateResult& session, std::size_t most, MarkdownBlocks& blocks);

}  // namespace tunecheck
