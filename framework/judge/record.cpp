#include "judge/record.hpp"

#include <algorithm>

namespace tunecheck {

const LaunchEvent* CallRecord::real_launch() const {
  return answer && answer->done && !launches.empty() ? &launches.back() : nullptr;
}

std::span<const LaunchEvent> CallRecord::trial_launches() const {
  return std::span(launches).first(launches.size() - (real_launch() != nullptr ? 1 : 0));
}

bool CallRecord::tuned() const {
  return !compiles.empty() || !trial_launches().empty();
}

const ProcessRecord* ScenarioRecord::process(std::string_view name) const {
  const auto found =
      std::find_if(processes.begin(), processes.end(),
                   [&](const ProcessRecord& process) { return process.step->name == name; });
  return found == processes.end() ? nullptr : &*found;
}

}  // namespace tunecheck
