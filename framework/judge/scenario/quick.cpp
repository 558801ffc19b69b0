#include "judge/scenario/quick.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "judge/scenario/named_checks.hpp"
#include "judge/scenario/scenario_settings.hpp"

namespace tunecheck {
namespace {

constexpr std::int64_t process_cost = 2;
constexpr std::int64_t measuring_factor = 5;  // alone on the machine, and every config once more

bool may_tune(const CallStep& call) {
  return std::none_of(
      call.expectations.begin(), call.expectations.end(),
      [](const Expectation& expectation) { return expectation.check->excludes_tuning; });
}

// Steps that some machines refuse: where there is a choice, another scenario is the safer one.
bool may_be_unsupported(const Scenario& scenario) {
  return std::any_of(scenario.steps.begin(), scenario.steps.end(), [](const auto& step) {
    const auto* const cache = std::get_if<CacheStep>(&step);
    return cache != nullptr && (cache->kind == CacheAction::Kind::full ||
                                cache->kind == CacheAction::Kind::other_owner);
  });
}

// What a scenario adds to a selection: its family, and the checks that it names.
std::set<std::string> worth_of(const Scenario& scenario) {
  std::set<std::string> worth = {"family " + scenario.family};
  for (const std::string_view check : named_checks(scenario))
    worth.emplace(check);
  return worth;
}

}  // namespace

std::int64_t cost_of(const Scenario& scenario, const KernelDefinition& kernel) {
  auto cost = static_cast<std::int64_t>(scenario.processes().size()) * process_cost;
  for (const CallStep* const call : scenario.calls()) {
    // The reader has refused calls that cannot be resolved.
    const auto resolved = resolve_call(kernel, call->settings);
    const bool tunes = may_tune(*call) && resolved;
    cost += tunes ? static_cast<std::int64_t>(resolved->configs.size()) : 1;
  }
  if (may_be_unsupported(scenario)) ++cost;
  // A limit of its own has a scenario in which a tuner may stand still: a bad one does until then.
  if (scenario.time_limit) cost += scenario.time_limit->count();
  return scenario.measures ? cost * measuring_factor : cost;
}

std::vector<const Scenario*> quick_selection(const Catalogue& catalogue,
                                             const std::vector<const Scenario*>& scenarios,
                                             const std::set<std::string_view>& not_asked) {
  std::set<std::string> missing;
  for (const Scenario* const scenario : scenarios)
    missing.merge(worth_of(*scenario));
  for (const std::string_view check : not_asked)
    missing.erase(std::string(check));
  std::set<const Scenario*> chosen;
  while (!missing.empty()) {
    const Scenario* best = nullptr;
    double most = 0;
    for (const Scenario* const scenario : scenarios) {
      const auto worth = worth_of(*scenario);
      const auto added = std::count_if(worth.begin(), worth.end(), [&](const std::string& one) {
        return missing.contains(one);
      });
      const double a_unit = static_cast<double>(added) /
                            static_cast<double>(cost_of(*scenario, catalogue.kernel_of(*scenario)));
      if (a_unit > most) {
        most = a_unit;
        best = scenario;
      }
    }
    if (best == nullptr) break;  // cannot be: each missing one is some scenario's
    chosen.insert(best);
    for (const std::string& one : worth_of(*best))
      missing.erase(one);
  }
  std::vector<const Scenario*> selection;
  std::copy_if(scenarios.begin(), scenarios.end(), std::back_inserter(selection),
               [&](const Scenario* scenario) { return chosen.contains(scenario); });
  return selection;
}

}  // namespace tunecheck
