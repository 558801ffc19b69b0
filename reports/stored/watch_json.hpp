#pragma once
// What watching a program found as JSON, reports/schema/watch.schema.json, and read back.
#include <filesystem>
#include <string>

#include "core/result.hpp"
#include "reports/fields/json_value.hpp"
#include "result/watch_diff.hpp"
#include "result/watch_result.hpp"

namespace tunecheck {

/// One JSON document as to_json(RunResult) makes them.
[[nodiscard]] std::string to_json(const WatchResult& result);

/// The same of what two of them differ in, reports/schema/watch-diff.schema.json.
[[nodiscard]] std::string to_json(const WatchDiff& diff);

/// A result as watch.json has it. Throws a JsonMistake.
[[nodiscard]] WatchResult watch_from(const JsonValue& json);

/// A file that `tunecheck watch` wrote, of this major version of the schema. An error has the file,
/// the JSON pointer, and for what is no JSON the line.
[[nodiscard]] Result<WatchResult> read_watch(const std::filesystem::path& file);

}  // namespace tunecheck
