#pragma once
// A matrix for people: on a terminal, and as a page of the documentation.
#include <string>

#include "reports/matrix/matrix.hpp"
#include "reports/terminal/terminal.hpp"

namespace tunecheck {

/// The tuners, one table for as many of them as fit side by side, and what failed.
[[nodiscard]] std::string matrix_summary(const Matrix& matrix, const TerminalOptions& options);

/// docs/conformance.md: one line for each tuner. html_state() has everything.
[[nodiscard]] std::string matrix_markdown(const Matrix& matrix);

}  // namespace tunecheck
