#pragma once
// result.json and audit.json: everything that was found, for machines. reports/schema describes
// them; a field that changes its meaning or goes away raises the major number of the schema's
// version, a new field the minor one.
#include <filesystem>
#include <string>
#include <string_view>

#include "core/result.hpp"
#include "judge/verdict.hpp"

namespace tunecheck {

/// Version of reports/schema/*.schema.json, in the field "schema" of each file.
inline constexpr std::string_view report_schema_version = "1.4.0";

/// One JSON document with keys in the order of the schema, indented, ending with a newline. Text
/// that is not UTF-8 has U+FFFD for what is wrong with it.
[[nodiscard]] std::string to_json(const RunResult& result);
[[nodiscard]] std::string to_json(const AuditResult& result);

/// Replaces `file` atomically: a reader never sees half a report.
[[nodiscard]] Result<void> write_json(const RunResult& result, const std::filesystem::path& file);
[[nodiscard]] Result<void> write_json(const AuditResult& result, const std::filesystem::path& file);

}  // namespace tunecheck
