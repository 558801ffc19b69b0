#pragma once
// The page "State of autotuners": a matrix for people, as one file for a browser, without a
// network. What its data says is computed here; reports/html/src/state/data.ts says what the page
// makes of it.
#include <map>
#include <string>

#include "core/result.hpp"
#include "reports/matrix/matrix.hpp"

namespace tunecheck {

/// Pages and scripts that causes name, by their path below docs/findings. What is not here is named
/// on the page, and not shown.
using FindingTexts = std::map<std::string, std::string>;

/// An error where the program was built without the page.
[[nodiscard]] Result<std::string> html_state(const Matrix& matrix, const FindingTexts& findings,
                                             const std::string& tunecheck_version);

/// The paths that html_state() shows if it is given their texts; each once.
[[nodiscard]] std::vector<std::string> findings_of(const Matrix& matrix);

}  // namespace tunecheck
