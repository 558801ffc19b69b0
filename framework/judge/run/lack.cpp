#include "judge/run/lack.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "judge/checks/table/check.hpp"

namespace tunecheck {
namespace {

// A capability that the adapter lacks, where none of the scenario's expectations can be asked
// without one; else "".
std::string need_of_all_expectations(const AdapterInfo& adapter, const Scenario& scenario) {
  std::string need;
  for (const CallStep* const call : scenario.calls())
    for (const Expectation& expectation : call->expectations) {
      const std::string_view capability = expectation.check->capability;
      if (capability.empty() || adapter.has(capability)) return {};
      need = capability;
    }
  return need;
}

// Where an adapter names variables for other kinds of device alone.
std::optional<Lack> lack_of_variables(const AdapterInfo& adapter, const Scenario& scenario,
                                      DeviceKind device) {
  for (const auto& [need, variables] :
       {std::pair(keyed_variables_capability, &adapter.keyed_variables),
        {free_variables_capability, &adapter.free_variables}}) {
    const bool is_needed =
        std::find(scenario.needs.begin(), scenario.needs.end(), need) != scenario.needs.end();
    const bool holds = std::any_of(variables->begin(), variables->end(),
                                   [&](const auto& each) { return each.holds_on(device); });
    if (is_needed && !holds)
      return Lack{
          fmt::format("capability {}", need),
          fmt::format("the adapter names none of its {} on {}",
                      need == keyed_variables_capability ? "keyed variables" : "free variables",
                      name_of(device))};
  }
  return std::nullopt;
}

// Where the tuner compiles another file of the kernel's folder than the one that is changed.
std::optional<Lack> lack_of_touched_source(const AdapterInfo& adapter, const Scenario& scenario) {
  const auto touches = scenario.touch_steps();
  const bool reaches_it = std::all_of(touches.begin(), touches.end(), [](const TouchStep* touch) {
    return !touch->file.empty() || touch->target == Touch::Target::folder;
  });
  if (reaches_it || !adapter.has_own_version(scenario.kernel)) return std::nullopt;
  return Lack{"capability sources",
              fmt::format("the tuner compiles what {} of {} names, and the scenario changes the "
                          "kernel's own source; expected touch {{ word WORD in FILE }}",
                          adapter.kernel_version, scenario.kernel)};
}

// A compiler that is a part of the driver stays what it was when the process opened the driver.
bool replaces_a_compiler_in_use(const Scenario& scenario) {
  const auto replaces = [](const auto& step) {
    const auto* const compiler = std::get_if<CompilerStep>(&step);
    return compiler != nullptr &&
           (compiler->mode == CompilerMode::rebuilt || compiler->mode == CompilerMode::other);
  };
  const auto processes = scenario.processes();
  return std::any_of(processes.begin(), processes.end(), [&](const ProcessStep* process) {
    return std::any_of(process->steps.begin(), process->steps.end(), replaces);
  });
}

}  // namespace

std::optional<Lack> lack_of(const AdapterInfo& adapter, const Scenario& scenario,
                            DeviceKind device) {
  for (const std::string& need : scenario.needs)
    if (!adapter.has(need))
      return Lack{"capability " + need,
                  fmt::format("the adapter declares no capability \"{}\"", need)};
  if (const auto lack = lack_of_variables(adapter, scenario, device)) return lack;
  if (const std::string need = need_of_all_expectations(adapter, scenario); !need.empty())
    return Lack{"capability " + need,
                fmt::format("the adapter declares no capability \"{}\", and the scenario expects "
                            "nothing else",
                            need)};
  if (!adapter.has_kernel(scenario.kernel))
    return Lack{"kernel " + scenario.kernel,
                fmt::format("the adapter has no kernel \"{}\"", scenario.kernel)};
  if (auto lack = lack_of_touched_source(adapter, scenario)) return lack;
  const auto& backends = adapter.backends;
  if (std::find(backends.begin(), backends.end(), device) == backends.end())
    return Lack{fmt::format("backend {}", name_of(device)),
                fmt::format("the adapter declares no backend \"{}\"", name_of(device))};
  for (const ProcessStep* const process : scenario.processes())
    if (process->settings.caching_off && adapter.caching_off.empty())
      return Lack{"caching_off", "the adapter does not say how the tuner's cache is switched off"};
  for (const ProcessStep* const process : scenario.processes())
    if (process->settings.searching_off && adapter.searching_off.empty())
      return Lack{"searching_off",
                  "the adapter does not say how the tuner's search is switched off"};
  for (const ProcessStep* const process : scenario.processes())
    if (process->settings.searching_anew && adapter.searching_anew.empty())
      return Lack{"searching_anew",
                  "the adapter does not say how the tuner is made to search anew"};
  for (const ProcessStep* const process : scenario.processes())
    if (process->settings.searching_last && adapter.searching_last.empty())
      return Lack{"searching_last",
                  "the adapter does not say how a default config is made to go before a search"};
  for (const ProcessStep* const process : scenario.processes())
    if (const std::string& effort = process->settings.effort;
        !effort.empty() && !adapter.efforts.contains(effort))
      return Lack{"efforts",
                  fmt::format("the adapter does not say how the tuner is told to search with {} "
                              "effort",
                              effort)};
  for (const ProcessStep* const process : scenario.processes())
    if (process->settings.version == TunerVersion::other && !adapter.other_version)
      return Lack{"other_version", "the adapter names no other version of the tuner"};
  for (const ProcessStep* const process : scenario.processes())
    if ((process->settings.version == TunerVersion::upgrade && adapter.upgrade.empty()) ||
        (process->settings.version == TunerVersion::release && adapter.release.empty()))
      return Lack{"other_version",
                  "the adapter does not say how a process becomes one of an upgrade or a release"};
  for (const ProcessStep* const process : scenario.processes())
    if (const auto& remote = process->settings.remote;
        remote && !adapter.remote.servers.contains(remote->server))
      return Lack{"remote_server", "the adapter's tuner does not know this kind of remote cache"};
  if (adapter.is_observed_by(vulkan_observer) && replaces_a_compiler_in_use(scenario))
    return Lack{"compiler_in_use", "the compiler is a part of the driver, which a process keeps"};
  for (const CacheStep* const step : scenario.cache_steps())
    for (const std::string_view role : cache_file_roles)
      if (step->glob == role && !adapter.cache_files.contains(step->glob))
        return Lack{fmt::format("{}_files", role),
                    fmt::format("the adapter does not say what its {} files are called", role)};
  return std::nullopt;
}

}  // namespace tunecheck
