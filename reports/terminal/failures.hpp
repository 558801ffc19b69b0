#pragma once
// The part of a terminal page that explains what went wrong, cause by cause.
#include "reports/terminal/terminal_page.hpp"
#include "result/verdict.hpp"

namespace tunecheck {

/// The causes with what each means, how many scenarios it fails and what fails with it; then, for
/// each of them, one scenario in full (what was expected and observed, where the evidence is, how
/// to repeat it) and the names of the others. With Detail::verbose every scenario is in full.
void write_failures(Page& page, const RunResult& result);

}  // namespace tunecheck
