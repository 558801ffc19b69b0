#include "judge/record.hpp"

#include <algorithm>

namespace tunecheck {

std::string config_or_artifact(const LaunchEvent& launch) {
  if (!launch.config.empty() || launch.module.empty()) return launch.config;
  return "artifact " + (launch.code.empty() ? launch.module : launch.code);
}

const LaunchEvent* CallRecord::real_launch() const {
  return answer && answer->done && !launches.empty() ? &launches.back() : nullptr;
}

std::span<const LaunchEvent> CallRecord::trial_launches() const {
  return std::span(launches).first(launches.size() - (real_launch() != nullptr ? 1 : 0));
}

std::uint64_t CallRecord::launch_count() const {
  return burst ? burst->counts.launches + burst->counts.trial_launches : launches.size();
}

std::uint64_t CallRecord::trial_launch_count() const {
  if (!burst) return trial_launches().size();
  const auto calls = static_cast<std::uint64_t>(burst->calls);
  return burst->counts.trial_launches +
         (burst->counts.launches > calls ? burst->counts.launches - calls : 0);
}

bool CallRecord::tuned() const {
  return (keeps_artifacts && !compiles.empty()) || trial_launch_count() > 0;
}

const ProcessRecord* ScenarioRecord::process(std::string_view name) const {
  const auto found =
      std::find_if(processes.begin(), processes.end(),
                   [&](const ProcessRecord& process) { return process.step->name == name; });
  return found == processes.end() ? nullptr : &*found;
}

}  // namespace tunecheck
