#pragma once
// A session of the gate as JSON, reports/schema/gate.schema.json, and read back.
#include <chrono>
#include <filesystem>
#include <string>

#include "core/result.hpp"
#include "gate/rule/gate_result.hpp"
#include "reports/fields/json_value.hpp"

namespace tunecheck {

/// One JSON document as to_json(RunResult) makes them.
[[nodiscard]] std::string to_json(const gate::GateResult& result);

/// A session as gate.json has it. Throws a JsonMistake.
[[nodiscard]] gate::GateResult gate_from(const JsonValue& json);

/// A file that `tunecheck gate` wrote, of this major version of the schema. An error has the file,
/// the JSON pointer, and for what is no JSON the line.
[[nodiscard]] Result<gate::GateResult> read_gate(const std::filesystem::path& file);

/// gate.json while a session goes on: whatever ends it leaves what was measured until then. One
/// thread at a time.
class GateFile {
 public:
  /// In a folder that is made where it is missing.
  explicit GateFile(std::filesystem::path file) : m_file(std::move(file)) {}

  /// Replaces the file at first, where the session is complete, and when it has been a while: so
  /// long that writing takes no more than a twentieth of the time.
  [[nodiscard]] Result<void> update(const gate::GateResult& so_far);

 private:
  std::filesystem::path m_file;
  std::chrono::steady_clock::time_point m_next{};
};

}  // namespace tunecheck
