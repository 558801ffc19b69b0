#pragma once
// Results as a judge would leave them, made by hand: every verdict, and texts that nobody wants in
// a report.
#include <string>

#include "result/verdict.hpp"

namespace tunecheck::test {

/// Control characters, markup, quotes, broken and reversed text, line ends.
[[nodiscard]] std::string hostile_text();

/// One scenario of each verdict: restore.axpy fails in two calls, reload.dead is an error, its
/// process died; reload.other is unsupported; restore.fine passes.
[[nodiscard]] RunResult mixed_result();

/// A result in which every text is hostile, one of them 64 KiB long.
[[nodiscard]] RunResult hostile_result();

/// A run in which one scenario failed as a mark says and another passed in spite of its mark.
[[nodiscard]] RunResult result_with_marks();

/// 46 scenarios of which 30 fail: 27 for spoilt inputs, 24 of these with a wrong result, two for a
/// caller that was harmed, one for a damaged entry and spoilt inputs at once.
[[nodiscard]] RunResult run_with_thirty_failures();

/// Two mutants, of which `sleeper` survives; two checks, of which `output.reference` never fails;
/// one false claim; a clean true tuner.
[[nodiscard]] AuditResult incomplete_audit();
[[nodiscard]] AuditResult complete_audit();

}  // namespace tunecheck::test
