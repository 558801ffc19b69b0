#include "reports/summary/causes.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "judge/checks/table/check.hpp"
#include "reports/summary/failures.hpp"

namespace tunecheck {
namespace {

// What tells causes apart; scenarios that say nothing but a message are told apart by that.
using Key = std::tuple<Verdict, std::string, std::string>;

std::ptrdiff_t rank_of(const std::string& check) {
  const auto checks = all_checks();
  return std::find_if(checks.begin(), checks.end(),
                      [&](const Check& one) { return one.name == check; }) -
         checks.begin();
}

bool explains(const CheckResult& cause, const CheckResult& symptom) {
  return &cause != &symptom && is_explained_by(symptom.check, cause.check);
}

// Those that no other one explains. The table has no circle, so there is one.
std::vector<const CheckResult*> roots_of(const ScenarioResult& scenario) {
  std::vector<const CheckResult*> roots = bad_checks(scenario);
  const std::vector<const CheckResult*> all = roots;
  std::erase_if(roots, [&](const CheckResult* root) {
    return std::any_of(all.begin(), all.end(),
                       [&](const CheckResult* other) { return explains(*other, *root); });
  });
  return roots;
}

// A scenario whose mark must go, or that ended before a check was asked, says so in its message.
std::vector<Key> keys_of(const ScenarioResult& scenario) {
  std::vector<Key> keys;
  for (const CheckResult* const root : roots_of(scenario))
    keys.emplace_back(root->verdict, root->check, "");
  if (keys.empty()) keys.emplace_back(scenario.verdict, "", scenario.message);
  return keys;
}

Key key_of(const Cause& cause) {
  return {cause.verdict, cause.check, cause.check.empty() ? cause.meaning : ""};
}

// How many scenarios each other check failed in.
void count_symptoms(Cause& cause) {
  std::map<std::string, std::set<const ScenarioResult*>> scenarios;
  for (const ScenarioResult* const scenario : cause.scenarios)
    for (const CheckResult* const check : bad_checks(*scenario))
      if (check->check != cause.check) scenarios[check->check].insert(scenario);
  for (const auto& [check, found] : scenarios)
    cause.symptoms.emplace_back(check, found.size());
  std::stable_sort(cause.symptoms.begin(), cause.symptoms.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
}

// The fewest causes at once explain best.
void put_the_clearest_first(Cause& cause) {
  std::stable_sort(cause.scenarios.begin(), cause.scenarios.end(),
                   [](const ScenarioResult* a, const ScenarioResult* b) {
                     return keys_of(*a).size() < keys_of(*b).size();
                   });
}

// Orders the causes, and counts for each what those before it leave.
void order(std::vector<Cause>& causes) {
  std::stable_sort(causes.begin(), causes.end(), [](const Cause& a, const Cause& b) {
    const auto rank = [](const Cause& cause) {
      return std::tuple(cause.verdict == Verdict::error ? 0 : 1,
                        -static_cast<std::ptrdiff_t>(cause.scenarios.size()), rank_of(cause.check));
    };
    return rank(a) < rank(b);
  });
  std::set<const ScenarioResult*> explained;
  for (Cause& cause : causes)
    for (const ScenarioResult* const scenario : cause.scenarios)
      cause.own += explained.insert(scenario).second ? 1U : 0U;
}

}  // namespace

std::vector<Cause> causes_of(const RunResult& result) {
  std::vector<Cause> causes;
  std::map<Key, std::size_t> places;
  for (const ScenarioResult* const scenario : worst_first(result))
    for (const Key& key : keys_of(*scenario)) {
      const auto [found, added] = places.emplace(key, causes.size());
      if (added) {
        const auto& [verdict, name, message] = key;
        const Check* const check = find_check(name);
        Cause& cause = causes.emplace_back();
        cause.check = name;
        cause.verdict = verdict;
        cause.meaning = check != nullptr ? std::string(check->summary) : message;
      }
      causes[found->second].scenarios.push_back(scenario);
    }
  for (Cause& cause : causes) {
    count_symptoms(cause);
    put_the_clearest_first(cause);
  }
  order(causes);
  return causes;
}

std::vector<const CheckResult*> causes_first(const ScenarioResult& scenario) {
  std::vector<const CheckResult*> checks = bad_checks(scenario);
  const std::vector<const CheckResult*> roots = roots_of(scenario);
  std::stable_partition(checks.begin(), checks.end(), [&](const CheckResult* check) {
    return std::find(roots.begin(), roots.end(), check) != roots.end();
  });
  return checks;
}

std::size_t cause_of(const ScenarioResult& scenario, const std::vector<Cause>& causes) {
  const std::vector<Key> keys = keys_of(scenario);
  return static_cast<std::size_t>(std::find_if(causes.begin(), causes.end(),
                                               [&](const Cause& cause) {
                                                 return std::find(keys.begin(), keys.end(),
                                                                  key_of(cause)) != keys.end();
                                               }) -
                                  causes.begin());
}

const CheckResult* evidence_of(const Cause& cause, const ScenarioResult& scenario) {
  for (const CheckResult* const check : bad_checks(scenario))
    if (check->check == cause.check && check->verdict == cause.verdict) return check;
  return nullptr;
}

std::vector<KnownCause> known_causes_of(const RunResult& result) {
  std::vector<KnownCause> causes;
  for (const ScenarioResult& scenario : result.scenarios) {
    if (scenario.verdict != Verdict::known || !scenario.known) continue;
    auto found = std::find_if(causes.begin(), causes.end(), [&](const KnownCause& cause) {
      return cause.reason == scenario.known->reason && cause.link == scenario.known->link;
    });
    if (found == causes.end())
      found = causes.insert(causes.end(), {scenario.known->reason, scenario.known->link, {}});
    found->scenarios.push_back(&scenario);
  }
  std::stable_sort(causes.begin(), causes.end(), [](const KnownCause& a, const KnownCause& b) {
    return a.scenarios.size() > b.scenarios.size();
  });
  return causes;
}

}  // namespace tunecheck
