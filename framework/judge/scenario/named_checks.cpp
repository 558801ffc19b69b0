#include "judge/scenario/named_checks.hpp"

namespace tunecheck {

std::set<std::string_view> named_checks(const Scenario& scenario) {
  std::set<std::string_view> checks;
  for (const CallStep* const call : scenario.calls())
    for (const Expectation& expectation : call->expectations)
      checks.insert(expectation.check);
  return checks;
}

std::vector<std::string> unanswered(const Scenario& scenario,
                                    const std::vector<CheckResult>& answers) {
  std::set<std::string> checks;
  for (const CallStep* const call : scenario.calls())
    if (call->end != CallEnd::killed)
      for (const Expectation& expectation : call->expectations)
        checks.insert(expectation.check);
  for (const CheckResult& answer : answers)
    checks.erase(answer.check);
  return {checks.begin(), checks.end()};
}

}  // namespace tunecheck
