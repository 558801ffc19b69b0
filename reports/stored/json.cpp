#include "reports/stored/json.hpp"

#include "core/files.hpp"
#include "reports/fields/run_fields.hpp"
#include "reports/stored/json_document.hpp"

namespace tunecheck {

std::string to_json(const RunResult& result) {
  return json_document(json_of(result));
}

std::string to_json(const AuditResult& result) {
  return json_document(json_of(result));
}

Result<void> write_json(const RunResult& result, const std::filesystem::path& file) {
  return write_file_atomically(file, to_json(result));
}

Result<void> write_json(const AuditResult& result, const std::filesystem::path& file) {
  return write_file_atomically(file, to_json(result));
}

}  // namespace tunecheck
