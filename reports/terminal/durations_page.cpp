#include <algorithm>
#include <vector>

#include "reports/terminal/terminal.hpp"
#include "reports/terminal/terminal_page.hpp"

namespace tunecheck {

std::string durations_page(const RunResult& result, std::size_t most,
                           const TerminalOptions& options) {
  std::vector<const ScenarioResult*> slowest;
  for (const ScenarioResult& scenario : result.scenarios)
    slowest.push_back(&scenario);
  std::stable_sort(slowest.begin(), slowest.end(),
                   [](const auto* a, const auto* b) { return a->wall_ns > b->wall_ns; });
  slowest.resize(std::min(most, slowest.size()));
  Page page(options);
  page.blank();
  for (const ScenarioResult* const scenario : slowest)
    page.entry(seconds_text(scenario->wall_ns), 12, scenario->name);
  return page.text();
}

}  // namespace tunecheck
