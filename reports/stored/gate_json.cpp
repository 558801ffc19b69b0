#include "reports/stored/gate_json.hpp"

#include "core/files.hpp"
#include "reports/fields/gate_fields.hpp"
#include "reports/stored/json_document.hpp"
#include "reports/stored/json_file.hpp"

namespace tunecheck {

std::string to_json(const gate::GateResult& result) {
  return json_document(json_of(result));
}

gate::GateResult gate_from(const JsonValue& json) {
  gate::GateResult older;
  older.settings.same_alpha =
      1;  // sessions before there was this one asked for nothing of the kind
  return read_as(json, std::move(older));
}

Result<gate::GateResult> read_gate(const std::filesystem::path& file) {
  gate::GateResult result;
  TUNECHECK_CHECK(read_json_file(
      file, [](const JsonValue&) {},
      [&](const JsonValue& json) {
        expect_kind(json, JsonKind::gate);
        result = gate_from(json);
      }));
  return result;
}

Result<void> GateFile::update(const gate::GateResult& so_far) {
  const auto begun = std::chrono::steady_clock::now();
  if (!so_far.is_complete && begun < m_next) return {};
  TUNECHECK_CHECK(create_folders(m_file.parent_path()));
  TUNECHECK_CHECK(write_file_atomically(m_file, to_json(so_far)));
  const auto written = std::chrono::steady_clock::now();
  m_next = written + 20 * (written - begun);
  return {};
}

}  // namespace tunecheck
