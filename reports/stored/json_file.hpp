#pragma once
// Files that tunecheck wrote, as JSON.
#include <filesystem>
#include <functional>

#include "core/result.hpp"
#include "reports/fields/json_value.hpp"

namespace tunecheck {

/// What a JSON file of tunecheck tells.
enum class JsonKind { run, audit, gate, history, watch };

/// By the fields that only files of one program have; what has none of them is taken for a run's.
[[nodiscard]] JsonKind kind_of(const JsonValue& document);

/// Throws where the document tells something else.
void expect_kind(const JsonValue& document, JsonKind kind);

/// Reads a file with the field "schema". `take_scenario` is given each item of the list "scenarios"
/// of the document itself, which are many, and `take_document` then the document without them. An
/// error has the file, and the JSON pointer or, of what is no JSON, the line: a newer minor version
/// is read, another major version is not. What is thrown as a JsonMistake becomes an error.
[[nodiscard]] Result<void> read_json_file(
    const std::filesystem::path& file, const std::function<void(const JsonValue&)>& take_scenario,
    const std::function<void(const JsonValue&)>& take_document);

}  // namespace tunecheck
