#pragma once
// result.json and audit.json: everything that was found, for machines.
//
//   {"schema": "1.4.0", ..., "complete": true, "pending": [],
//    "scenarios": [{"name": TEXT, "verdict": TEXT, ..., "checks": [...],
//                   "processes": [{"name": TEXT, ..., "calls": [...]}]}]}
//
// One document, indented, except that an object or list of numbers and texts is one line: a run of
// one scenario takes 350 lines and not 812. A field that changes its meaning or goes away raises
// the major number of the schema's version, a new field the minor one. What a single tuner could
// make arbitrarily long is bounded, and what is left out is counted (SummaryBounds): 100 calls per
// process, 256 configs and 100 events per call, 32 times per config, 400 bytes per message.
// Evidence is not copied into it: checks name the files. It is replaced as a whole while the run
// goes on (result_file.hpp), so that the file of a run that was ended early is valid too and says
// so. reports/fields lists every field.
#include <filesystem>
#include <string>

#include "core/result.hpp"
#include "result/verdict.hpp"

namespace tunecheck {

/// One JSON document with keys in the order of the schema, indented, ending with a newline. Text
/// that is not UTF-8 has U+FFFD for what is wrong with it.
[[nodiscard]] std::string to_json(const RunResult& result);
[[nodiscard]] std::string to_json(const AuditResult& result);

/// Replaces `file` atomically: a reader never sees half a report.
[[nodiscard]] Result<void> write_json(const RunResult& result, const std::filesystem::path& file);
[[nodiscard]] Result<void> write_json(const AuditResult& result, const std::filesystem::path& file);

}  // namespace tunecheck
