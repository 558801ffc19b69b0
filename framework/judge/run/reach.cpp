#include "judge/run/reach.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "judge/run/lack.hpp"

namespace tunecheck {
namespace {

constexpr std::string_view beginning = R"(# Reach

This page shows how many scenarios each adapter is asked, of those whose kernel it has, and what is in the
way of the others. `tunecheck scenarios reach` prints it; a test compares the two.

A scenario that is not asked is `unsupported`, for one of these reasons and no other:

| reason | meaning |
|---|---|
| `capability NAME` | the tuner cannot do what the scenario does: [capabilities](scenarios.md#capabilities) |
| `kernel NAME` | the adapter has no version of the kernel. This page does not count such scenarios |
| `backend NAME` | the adapter does not run on this kind of device. This page does not count such scenarios either |
| `capability remote`, `capability remote_key`, `remote_server` | the tuner has no remote cache, or none of the kind that the scenario has. This page does not count such scenarios either |
| `capability table`, `capability bundle`, `capability archive`, `capability pending`, `capability explicit_config` and theirs | the tuner has no offline table, no bundle, no exports, no calls that do not wait, or takes no config of a caller's. They are not counted either |
| `searching_off`, `searching_last`, `efforts`, `capability search_on` | the tuner cannot be told never to search, to launch a default before it searches, or how much to search. They are not counted either |
| `caching_off`, `searching_anew`, `other_version` | the adapter does not say how the cache is switched off, how a search is forced, or how a process becomes one of another version, an upgrade or a release |
| `compiler_in_use` | the scenario replaces the compiler under a running process, and the tuner's compiler is a part of the driver, which a process keeps |
| `entry_files`, `artifact_files` | the adapter does not say what the tuner's files are called, and the scenario damages one |

Scenarios on the [simulated device](sim.md) are not counted: they are asked of every adapter that declares `sim`,
and show how a tuner chooses.

What is asked may be `unsupported` too, for a reason that shows only when it runs: a process never came to the point at
which it was to fail, or a file was not its own. This page counts such scenarios as asked.

"Unpromised" are scenarios that are asked although the tuner promises nothing about them: its adapter says so. What
fails there breaks no promise of the tuner, and says what its users cannot rely on.

| adapter | on | asked | of | share | unpromised | not asked |
|---|---|---|---|---|---|---|
)";

// The most frequent first.
std::string list_of(const std::map<std::string, int>& lacks) {
  std::vector<std::pair<int, std::string>> sorted;
  for (const auto& [what, count] : lacks)
    sorted.emplace_back(-count, what);
  std::sort(sorted.begin(), sorted.end());
  std::string text;
  for (const auto& [count, what] : sorted)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", -count, what);
  return text;
}

// As with a kernel: a tuner that has no such thing can be asked nothing about it.
bool is_about_what_the_tuner_is_without(const AdapterInfo& adapter, const Scenario& scenario) {
  for (const std::string& need : scenario.needs)
    for (const char* const of :
         {"remote", "table", "bundle", "explicit_config", "search_on", "pending", "archive"})
      if (need.starts_with(of) && !adapter.has(need)) return true;
  const auto processes = scenario.processes();
  return std::any_of(processes.begin(), processes.end(), [&](const ProcessStep* process) {
    const Settings& settings = process->settings;
    return (settings.remote && !adapter.remote.servers.contains(settings.remote->server)) ||
           (settings.searching_off && adapter.searching_off.empty()) ||
           (settings.searching_last && adapter.searching_last.empty()) ||
           (!settings.effort.empty() && adapter.efforts.empty());
  });
}

bool asks_the_unpromised(const Scenario& scenario, const AdapterInfo& adapter) {
  return std::any_of(scenario.needs.begin(), scenario.needs.end(),
                     [&](const std::string& need) { return !adapter.promises(need); });
}

}  // namespace

Reach reach_of(const AdapterInfo& adapter, const Catalogue& catalogue, DeviceKind backend) {
  Reach reach;
  for (const auto& [name, scenario] : catalogue.scenarios) {
    const bool runs = why_left_out(scenario, backend).empty() &&
                      device_of(scenario, backend) == backend &&
                      adapter.has_kernel(scenario.kernel);
    if (!runs) continue;
    if (is_about_what_the_tuner_is_without(adapter, scenario)) continue;
    const auto lack = lack_of(adapter, scenario, backend);
    ++reach.could_be;
    if (lack) {
      ++reach.lacks[lack->what];
      continue;
    }
    ++reach.judged;
    if (asks_the_unpromised(scenario, adapter)) ++reach.unpromised;
  }
  return reach;
}

std::string reach_page(const std::map<std::string, AdapterInfo>& adapters,
                       const Catalogue& catalogue) {
  std::string page(beginning);
  for (const auto& [name, adapter] : adapters)
    for (const DeviceKind backend : adapter.backends) {
      if (backend == DeviceKind::sim) continue;
      const Reach reach = reach_of(adapter, catalogue, backend);
      page += fmt::format("| {} | {} | {} | {} | {} % | {} | {} |\n", name, name_of(backend),
                          reach.judged, reach.could_be,
                          reach.could_be == 0 ? 0 : 100 * reach.judged / reach.could_be,
                          reach.unpromised, list_of(reach.lacks));
    }
  return page;
}

}  // namespace tunecheck
