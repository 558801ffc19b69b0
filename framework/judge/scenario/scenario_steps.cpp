// The steps of a scenario by their kind.
#include <variant>

#include "judge/scenario/scenario.hpp"

namespace tunecheck {
namespace {

// The steps of the scenario itself come first, then those within its processes.
template <class Step>
std::vector<const Step*> steps_of_kind(const Scenario& scenario) {
  std::vector<const Step*> found;
  const auto add_from = [&](const auto& steps) {
    for (const auto& each : steps)
      if (const auto* const step = std::get_if<Step>(&each)) found.push_back(step);
  };
  add_from(scenario.steps);
  for (const ProcessStep* const process : scenario.processes())
    add_from(process->steps);
  return found;
}

}  // namespace

std::vector<const CacheStep*> Scenario::cache_steps() const {
  return steps_of_kind<CacheStep>(*this);
}

std::vector<const TouchStep*> Scenario::touch_steps() const {
  return steps_of_kind<TouchStep>(*this);
}

std::vector<const ProcessStep*> Scenario::processes() const {
  std::vector<const ProcessStep*> all;
  for (const auto& step : steps)
    if (const auto* const process = std::get_if<ProcessStep>(&step))
      all.push_back(process);
    else if (const auto* const group = std::get_if<ProcessGroup>(&step))
      for (const ProcessStep& each : group->processes)
        all.push_back(&each);
  return all;
}

std::vector<const CallStep*> Scenario::calls() const {
  std::vector<const CallStep*> all;
  for (const ProcessStep* const process : processes())
    for (const CallStep* const call : process->calls())
      all.push_back(call);
  return all;
}

std::vector<const CallStep*> ProcessStep::calls() const {
  std::vector<const CallStep*> calls;
  for (const auto& step : steps) {
    if (const auto* const call = std::get_if<CallStep>(&step)) calls.push_back(call);
    if (const auto* const group = std::get_if<CallGroup>(&step))
      for (const CallStep& call : group->calls)
        calls.push_back(&call);
  }
  return calls;
}

}  // namespace tunecheck
