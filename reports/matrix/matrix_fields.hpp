#pragma once
// The fields of a matrix as JSON.
#include "reports/fields/run_fields.hpp"
#include "reports/matrix/matrix.hpp"

namespace tunecheck {

[[nodiscard]] const Words<CauseKind>& words_of(Of<CauseKind>);
[[nodiscard]] const Fields<UpstreamIssue>& fields_of(Of<UpstreamIssue>);
[[nodiscard]] const Fields<TunerCause>& fields_of(Of<TunerCause>);
[[nodiscard]] const Fields<MatrixScenario::Trouble>& fields_of(Of<MatrixScenario::Trouble>);
[[nodiscard]] const Fields<MatrixScenario::Mark>& fields_of(Of<MatrixScenario::Mark>);
[[nodiscard]] const Fields<MatrixScenario>& fields_of(Of<MatrixScenario>);
[[nodiscard]] const Fields<MatrixTuner::Part>& fields_of(Of<MatrixTuner::Part>);
[[nodiscard]] const Fields<MatrixTuner>& fields_of(Of<MatrixTuner>);
[[nodiscard]] const Fields<MatrixCell>& fields_of(Of<MatrixCell>);
[[nodiscard]] const Fields<MatrixRow>& fields_of(Of<MatrixRow>);
[[nodiscard]] const Fields<Matrix>& fields_of(Of<Matrix>);

}  // namespace tunecheck
