#pragma once
// One tuned kernel as a table: for a terminal, and as a row of a Markdown table.
#include <string>

#include "reports/terminal/terminal.hpp"
#include "result/kernel_tuning.hpp"

namespace tunecheck {

/// A row a config with a bar as long as its time, then winner, default, naive loop and plain copy.
[[nodiscard]] std::string tuning_summary(const KernelTuning& result,
                                         const TerminalOptions& options);

/// The head of a Markdown table with a row for each kernel, and such a row.
[[nodiscard]] std::string tuning_markdown_head();
[[nodiscard]] std::string tuning_markdown_row(const KernelTuning& result);

}  // namespace tunecheck
