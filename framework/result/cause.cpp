#include "result/cause.hpp"

#include <algorithm>

#include "core/text.hpp"

namespace tunecheck {

bool TunerCause::is_of(std::string_view scenario) const {
  return std::any_of(scenarios.begin(), scenarios.end(),
                     [&](const std::string& pattern) { return matches_glob(pattern, scenario); });
}

bool TunerCause::is_of(std::string_view scenario, std::string_view check) const {
  return is_of(scenario) &&
         (checks.empty() || std::find(checks.begin(), checks.end(), check) != checks.end());
}

}  // namespace tunecheck
