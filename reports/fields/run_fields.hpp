#pragma once
// The fields of result.json and audit.json.
#include <string_view>

#include "reports/fields/field.hpp"
#include "result/verdict.hpp"

namespace tunecheck {

/// Version of result.json, audit.json and matrix.json, in the field "schema" of each file. A field
/// that changes its meaning or goes away raises the major number, a new field the minor one.
inline constexpr std::string_view report_schema_version = "1.5.0";

[[nodiscard]] const Words<Verdict>& words_of(Of<Verdict>);

[[nodiscard]] const Fields<ConfigSummary>& fields_of(Of<ConfigSummary>);
[[nodiscard]] const Fields<CallEvent>& fields_of(Of<CallEvent>);
[[nodiscard]] const Fields<CallSummary>& fields_of(Of<CallSummary>);
[[nodiscard]] const Fields<ProcessSummary>& fields_of(Of<ProcessSummary>);
[[nodiscard]] const Fields<Stages>& fields_of(Of<Stages>);
[[nodiscard]] const Fields<CheckResult>& fields_of(Of<CheckResult>);
[[nodiscard]] const Fields<KnownFailure>& fields_of(Of<KnownFailure>);
[[nodiscard]] const Fields<ScenarioResult>& fields_of(Of<ScenarioResult>);
[[nodiscard]] const Fields<LeftOut>& fields_of(Of<LeftOut>);
[[nodiscard]] const Fields<RunResult>& fields_of(Of<RunResult>);

[[nodiscard]] const Fields<AuditResult::Mutant>& fields_of(Of<AuditResult::Mutant>);
[[nodiscard]] const Fields<AuditResult::Kill>& fields_of(Of<AuditResult::Kill>);
[[nodiscard]] const Fields<AuditResult>& fields_of(Of<AuditResult>);

}  // namespace tunecheck
