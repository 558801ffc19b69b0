#pragma once
// What `tunecheck matrix` adds to results from files next to the adapters: the causes of known
// failures, and the pages that describe them.
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "reports/html/html_state.hpp"
#include "reports/matrix/matrix.hpp"

namespace tunecheck::cli {

/// The name or file by which the tuner's adapter is found here: the file that its last run used, if
/// that still is an adapter of this name, else its name.
[[nodiscard]] std::string adapter_of(const MatrixTuner& tuner);

/// Gives each tuner the causes of its adapter's causes.info. Where a file of results brought some
/// and not `anew`, those stay. A tuner whose adapter is not here, or lists none, has none: a page
/// says then that they are not known. An error is a mistake in a causes.info.
[[nodiscard]] Result<void> add_causes(Matrix& matrix, const std::vector<std::string>& kernels,
                                      bool anew);

/// The pages and scripts below `folder` that the matrix's causes name. One that is not there is an
/// error, since a cause must not name what nobody can read.
[[nodiscard]] Result<FindingTexts> read_findings(const Matrix& matrix,
                                                 const std::filesystem::path& folder);

}  // namespace tunecheck::cli
