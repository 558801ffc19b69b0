#pragma once
// A matrix as JSON, and results read back: reports/schema/matrix.schema.json. It holds everything
// that the table is made from, so that it is also a result.json in short: what `tunecheck matrix`
// wrote can be merged again.
#include <filesystem>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "reports/fields/json_value.hpp"
#include "reports/matrix/matrix.hpp"

namespace tunecheck {

/// One JSON document as to_json(RunResult) makes them.
[[nodiscard]] std::string to_json(const Matrix& matrix);

/// The tuners of a document that to_json() made. Throws a JsonMistake.
[[nodiscard]] std::vector<MatrixTuner> tuners_from(const JsonValue& json);

/// The tuners of a file that `tunecheck run` or `tunecheck matrix` wrote, of this major version of
/// the schema; what an older minor version does not say is taken for nothing. An error has the
/// file, the key, and for what is no JSON the line.
[[nodiscard]] Result<std::vector<MatrixTuner>> read_results(const std::filesystem::path& file);

}  // namespace tunecheck
