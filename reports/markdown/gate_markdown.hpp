#pragma once
// A session of the gate as a part of a page in Markdown.
#include "gate/rule/gate_result.hpp"
#include "reports/markdown/markdown_blocks.hpp"

namespace tunecheck {

/// The verdict, then what is worse, with each interval against delta and tolerance.
void add_gate_verdict(const gate::GateResult& session, MarkdownBlocks& blocks);

/// What else was found: improvements, winners that changed, what came and went, canaries, what
/// could not be measured, what passed.
void add_gate_details(const gate::GateResult& session, MarkdownBlocks& blocks);

}  // namespace tunecheck
