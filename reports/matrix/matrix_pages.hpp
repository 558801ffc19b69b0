#pragma once
// A matrix for people: on a terminal, and as a page of the documentation.
#include <filesystem>
#include <string>

#include "reports/matrix/matrix.hpp"
#include "reports/terminal/terminal.hpp"

namespace tunecheck {

/// The tuners, one table for as many of them as fit side by side, and what failed.
[[nodiscard]] std::string matrix_summary(const Matrix& matrix, const TerminalOptions& options);

/// A page that lies beside checks.md. `folder` is that folder: where it has
/// findings/ADAPTER/CHECK.md or findings/ADAPTER/SCENARIO.md, a failure is linked to it.
[[nodiscard]] std::string matrix_markdown(const Matrix& matrix,
                                          const std::filesystem::path& folder);

}  // namespace tunecheck
