#include "reports/summary/failures.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

#include "core/text.hpp"
#include "judge/checks/table/check.hpp"
#include "reports/summary/causes.hpp"

namespace tunecheck {
namespace {

// True where a check of the scenario's own family failed: it failed in what it is about, and not
// because something that every scenario relies on is broken.
bool fails_in_its_family(const ScenarioResult& scenario) {
  return std::any_of(
      scenario.checks.begin(), scenario.checks.end(), [&](const CheckResult& result) {
        const Check* const check = find_check(result.check);
        return is_bad(result) && check != nullptr && check->family == scenario.family;
      });
}

// The families in the order of the checks: wrong results before needless work.
std::ptrdiff_t family_rank(const std::string& family) {
  const auto checks = all_checks();
  return std::find_if(checks.begin(), checks.end(),
                      [&](const Check& check) { return check.family == family; }) -
         checks.begin();
}

auto count_of_bad_checks(const ScenarioResult& scenario) {
  return std::count_if(scenario.checks.begin(), scenario.checks.end(),
                       [](const CheckResult& check) { return is_bad(check); });
}

}  // namespace

bool is_bad(const CheckResult& check) {
  return check.verdict == Verdict::fail || check.verdict == Verdict::error;
}

bool is_bad(const ScenarioResult& scenario) {
  return scenario.verdict == Verdict::fail || scenario.verdict == Verdict::error;
}

std::vector<const CheckResult*> bad_checks(const ScenarioResult& scenario) {
  std::vector<const CheckResult*> first;
  for (const CheckResult& check : scenario.checks)
    if (is_bad(check) && std::none_of(first.begin(), first.end(), [&](const CheckResult* other) {
          return other->check == check.check && other->verdict == check.verdict;
        }))
      first.push_back(&check);
  return first;
}

std::string reason_of(const ScenarioResult& scenario) {
  // What a mark makes of a result is said first.
  if (scenario.known && !scenario.message.empty()) return scenario.message;
  const std::vector<const CheckResult*> checks = causes_first(scenario);
  if (checks.empty()) return scenario.message;
  return fmt::format("{}: expected {}; observed {}{}", checks.front()->check,
                     checks.front()->expected, checks.front()->observed,
                     checks.size() > 1
                         ? fmt::format(" (and {})", counted(checks.size() - 1, "further check"))
                         : "");
}

std::vector<const ScenarioResult*> worst_first(const RunResult& result) {
  std::vector<const ScenarioResult*> worst;
  for (const ScenarioResult& scenario : result.scenarios)
    if (is_bad(scenario)) worst.push_back(&scenario);
  const auto rank = [](const ScenarioResult* scenario) {
    return std::tuple(scenario->verdict == Verdict::error ? 0 : 1,
                      fails_in_its_family(*scenario) ? 0 : 1, family_rank(scenario->family),
                      -count_of_bad_checks(*scenario), std::string_view(scenario->name));
  };
  std::sort(worst.begin(), worst.end(),
            [&](const ScenarioResult* a, const ScenarioResult* b) { return rank(a) < rank(b); });
  return worst;
}

}  // namespace tunecheck
