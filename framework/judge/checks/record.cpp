#include "judge/checks/record.hpp"

#include <algorithm>

namespace tunecheck {

const ProcessRecord* ScenarioRecord::process(std::string_view name) const {
  const auto found =
      std::find_if(processes.begin(), processes.end(),
                   [&](const ProcessRecord& process) { return process.step->name == name; });
  return found == processes.end() ? nullptr : &*found;
}

}  // namespace tunecheck
