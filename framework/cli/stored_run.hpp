#pragma once
// Runs that were stored: in the history, or in a gate.json.
#include <filesystem>
#include <optional>
#include <string>

#include <CLI/App.hpp>

#include "core/result.hpp"
#include "gate/history/history.hpp"
#include "gate/rule/pair.hpp"

namespace tunecheck::cli {

/// --db.
void add_history_file(CLI::App& command, std::string& file);

/// The history that the user named; where that is "", the one in the user's folder for data.
[[nodiscard]] Result<std::filesystem::path> history_file(const std::string& given);

/// The run of this number, or where it is "last" the last one.
[[nodiscard]] Result<history::StoredRun> find_run(const history::Contents& contents,
                                                  const std::string& number);

/// What one side of the session in a gate.json measured. The error has the file.
[[nodiscard]] Result<history::MeasuredRun> read_gate_run(const std::string& file, gate::Side side);

/// The verdicts of a file that `tunecheck run` wrote; nothing where it is another one.
[[nodiscard]] std::optional<Result<history::MeasuredRun>> read_verdicts(const std::string& file);

}  // namespace tunecheck::cli
