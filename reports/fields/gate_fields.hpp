#pragma once
// The fields of gate.json.
#include <string_view>

#include "gate/rule/gate_result.hpp"
#include "reports/fields/field.hpp"

namespace tunecheck {

/// Version of gate.json. A field that changes its meaning or goes away raises the major number, a
/// new field the minor one.
inline constexpr std::string_view gate_schema_version = "1.1.0";

}  // namespace tunecheck

// Found by their arguments, and so where those are.
namespace tunecheck::gate {

[[nodiscard]] const Words<Answer>& words_of(Of<Answer>);
[[nodiscard]] const Words<Role>& words_of(Of<Role>);
[[nodiscard]] const Words<Side>& words_of(Of<Side>);
[[nodiscard]] const Words<TimeKind>& words_of(Of<TimeKind>);

[[nodiscard]] const Fields<Settings>& fields_of(Of<Settings>);
[[nodiscard]] const Fields<SideResult>& fields_of(Of<SideResult>);
[[nodiscard]] const Fields<Subject>& fields_of(Of<Subject>);
[[nodiscard]] const Fields<ProcessRun>& fields_of(Of<ProcessRun>);
[[nodiscard]] const Fields<PairRecord>& fields_of(Of<PairRecord>);
[[nodiscard]] const Fields<Finding>& fields_of(Of<Finding>);
[[nodiscard]] const Fields<CanaryOf>& fields_of(Of<CanaryOf>);
[[nodiscard]] const Fields<BenchmarkResult>& fields_of(Of<BenchmarkResult>);
[[nodiscard]] const Fields<CountFinding>& fields_of(Of<CountFinding>);
[[nodiscard]] const Fields<CountResult>& fields_of(Of<CountResult>);
[[nodiscard]] const Fields<WinnerChange>& fields_of(Of<WinnerChange>);
[[nodiscard]] const Fields<Renaming>& fields_of(Of<Renaming>);
[[nodiscard]] const Fields<NotMeasured>& fields_of(Of<NotMeasured>);
[[nodiscard]] const Fields<GateResult>& fields_of(Of<GateResult>);

}  // namespace tunecheck::gate
