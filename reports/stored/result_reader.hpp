#pragma once
// Results read back: every report is made from result.json and nothing else.
#include <filesystem>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "reports/fields/json_value.hpp"
#include "result/verdict.hpp"

namespace tunecheck {

/// A scenario as result.json has it. Throws a JsonMistake.
[[nodiscard]] ScenarioResult scenario_from(const JsonValue& json);
/// The run without its scenarios; `scenarios` are those. Throws a JsonMistake.
[[nodiscard]] RunResult run_from(const JsonValue& json, std::vector<ScenarioResult> scenarios);

/// The document that `tunecheck audit` wrote. Throws a JsonMistake.
[[nodiscard]] AuditResult audit_from(const JsonValue& json);

/// A file that `tunecheck run` wrote, of this major version of the schema: what an older minor
/// version does not say is taken for nothing, what a newer one says beside is left out. An error
/// has the file, the JSON pointer, and for what is no JSON the line.
[[nodiscard]] Result<RunResult> read_result(const std::filesystem::path& file);

/// A file that `tunecheck audit` wrote, likewise.
[[nodiscard]] Result<AuditResult> read_audit(const std::filesystem::path& file);

/// Whether `tunecheck audit` wrote the file, by its fields. An error where it is no file of
/// tunecheck's.
[[nodiscard]] Result<bool> is_audit(const std::filesystem::path& file);

/// The device that was judged: the GPU, else the machine's CPU; "" where the result does not say.
[[nodiscard]] std::string device_of(const RunResult& result);

/// Two parts of one run, of which `later` began later: what it says counts where both say
/// something. Its times are summed.
[[nodiscard]] RunResult joined(RunResult earlier, RunResult later);

/// Results of the same adapter, tuner and version, backend and device become one, as parts of one
/// run are; the others stay as they are, in the order of their first. Of a scenario that is in
/// several, the one of the run that began last counts, and of two that began in the same second the
/// one that is given last.
[[nodiscard]] std::vector<RunResult> merged(std::vector<RunResult> results);

/// Puts `folder` before the files that a result names, which are relative to its own.
void name_files_from(const std::filesystem::path& folder, RunResult& result);

/// Names the files of scenarios relative to the working folder, where they lie below it.
void name_scenarios_from_here(RunResult& result);

}  // namespace tunecheck
