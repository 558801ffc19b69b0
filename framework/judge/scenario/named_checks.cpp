#include "judge/scenario/named_checks.hpp"

#include <algorithm>

namespace tunecheck {

std::set<std::string_view> named_checks(const Scenario& scenario) {
  std::set<std::string_view> checks;
  for (const CallStep* const call : scenario.calls())
    for (const Expectation& expectation : call->expectations)
      checks.insert(expectation.check->name);
  return checks;
}

bool needs(const CallStep& call, ExtraEvidence evidence, DeviceKind device) {
  return std::any_of(call.expectations.begin(), call.expectations.end(),
                     [&](const Expectation& expectation) {
                       const EvidenceNeed& need = expectation.check->needs;
                       return need.evidence == evidence && includes(need.on, device);
                     });
}

std::vector<std::string> unanswered(const Scenario& scenario,
                                    const std::vector<CheckResult>& answers, DeviceKind device) {
  std::set<std::string> checks;
  for (const CallStep* const call : scenario.calls())
    if (call->end != CallEnd::killed)
      for (const Expectation& expectation : call->expectations)
        if (includes(expectation.check->on, device)) checks.emplace(expectation.check->name);
  for (const CheckResult& answer : answers)
    checks.erase(answer.check);
  return {checks.begin(), checks.end()};
}

}  // namespace tunecheck
