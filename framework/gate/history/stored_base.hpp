#pragma once
// A stored run as the base of a session of the gate, whose head alone is measured.
#include <functional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "gate/history/run.hpp"
#include "gate/rule/gate_result.hpp"

namespace tunecheck::history {

struct StoredBase {
  std::string given;  ///< for people: "run 7 of h.sqlite"
  RunFacts facts;
  std::vector<SampleSet> sets;  ///< those that are asked for
};

/// Whether the head of a session that has not measured anything yet may be judged by it; the error
/// says what differs, or what cannot be used: another suite, another fingerprint of a kernel that
/// the head has as well, a time of one process, a value that is no time or count.
[[nodiscard]] Result<void> check_base(const StoredBase& base, const gate::GateResult& session);

/// Ends a session whose benchmarks and counts have what the head's processes gave, once
/// check_base() found nothing: what the base has comes into it, as records of one process each, and
/// every benchmark and count of both gets a finding. What one alone has is added or removed. Counts
/// are compared as always. A time passes or is inconclusive (gate/rule/stored.hpp); a head whose
/// process fails is a regression. `decides` is the command that would measure both sides in turn.
/// An error where both are not in the same unit, or the head was measured under other conditions.
[[nodiscard]] Result<void> judge_by_base(
    const StoredBase& base, const std::function<std::string(const gate::Subject&)>& decides,
    gate::GateResult& session);

}  // namespace tunecheck::history
