#pragma once
// The verdict about a run in words.
#include <string>

#include "result/verdict.hpp"

namespace tunecheck {

/// Why its result is not to be trusted, "" where it is: "nothing was run".
[[nodiscard]] std::string why_not_trusted(const RunResult& result);

/// "PASS: 148 of 150 scenarios, 2 failed as known"; one sentence, to be made printable.
[[nodiscard]] std::string verdict_text(const RunResult& result);

/// "reference 0.1.0 on cpu"; the adapter's name where that says more than the tuner's.
[[nodiscard]] std::string subject_of(const RunResult& result);

}  // namespace tunecheck
