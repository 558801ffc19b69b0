#include "reports/summary/changes.hpp"

#include <algorithm>
#include <map>
#include <string_view>

#include "reports/summary/failures.hpp"

namespace tunecheck {
namespace {

// An adapter that could not be asked then has not answered.
bool was_asked(const ScenarioResult& scenario) {
  return scenario.verdict != Verdict::unsupported;
}

}  // namespace

const RunResult* base_of(const RunResult& run, std::span<const RunResult> base) {
  const auto found = std::find_if(base.begin(), base.end(), [&](const RunResult& other) {
    return other.adapter == run.adapter && other.backend == run.backend;
  });
  return found == base.end() ? nullptr : &*found;
}

Changes changes_between(const RunResult& base, const RunResult& run) {
  std::map<std::string_view, const ScenarioResult*> before;
  for (const ScenarioResult& scenario : base.scenarios)
    before.emplace(scenario.name, &scenario);
  Changes changes;
  for (const ScenarioResult& scenario : run.scenarios) {
    const auto found = before.find(scenario.name);
    const ScenarioResult* const old = found == before.end() ? nullptr : found->second;
    const bool was_bad = old != nullptr && is_bad(*old);
    if (is_bad(scenario))
      (was_bad                             ? changes.as_bad
       : old != nullptr && was_asked(*old) ? changes.broken
                                           : changes.unasked)
          .push_back(&scenario);
    else if (was_bad)
      changes.mended.push_back(&scenario);
    else if (old == nullptr)
      changes.added.push_back(scenario.name);
    else if (old->verdict != scenario.verdict)
      changes.others.push_back(&scenario);
    if (found != before.end()) before.erase(found);
  }
  for (const auto& [name, scenario] : before)
    changes.gone.emplace_back(name);
  return changes;
}

}  // namespace tunecheck
