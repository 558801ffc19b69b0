#pragma once
// Results on their way into a matrix: as `tunecheck run` writes them and `tunecheck matrix` reads
// them.
#include <string>
#include <vector>

#include "core/result.hpp"
#include "reports/matrix/matrix.hpp"
#include "result/verdict.hpp"

namespace tunecheck::test {

/// What read_results() makes of a file with this text.
[[nodiscard]] Result<std::vector<MatrixTuner>> read_text(const std::string& text);

/// The only tuner of a result.json.
[[nodiscard]] MatrixTuner read_back(const RunResult& result);

/// A matrix of these results, added in this order.
[[nodiscard]] Matrix matrix_of(const std::vector<RunResult>& results);

/// Three tuners: the mixed result (restore.axpy and reload.dead are bad, reload.other lacks
/// threads), one whose failures are known, and one that could not be run.
[[nodiscard]] std::vector<RunResult> three_tuners();

}  // namespace tunecheck::test
