#include "cli/lists/listed.hpp"

#include "cli/usage.hpp"
#include "core/device_kinds.hpp"
#include "core/text.hpp"
#include "harness/kernel/proof_case.hpp"
#include "judge/checks/table/check.hpp"
#include "judge/scenario/named_checks.hpp"

namespace tunecheck::cli {
namespace {

listed::Scenario listed_scenario(const Scenario& scenario) {
  listed::Scenario item;
  item.name = scenario.name;
  item.family = scenario.family;
  item.because = scenario.because;
  item.kernel = scenario.kernel;
  item.file = scenario.file.string();
  item.line = scenario.line;
  for (const DeviceKind kind : real_device_kinds)
    if (why_left_out(scenario, kind).empty()) item.devices.emplace_back(name_of(kind));
  item.needs = scenario.needs;
  for (const std::string_view check : named_checks(scenario))
    item.checks.emplace_back(check);
  item.catches = scenario.catches;
  item.measures = scenario.measures;
  return item;
}

listed::Kernel listed_kernel(const KernelDefinition& kernel) {
  listed::Kernel item;
  item.name = kernel.name;
  item.summary = kernel.summary;
  item.folder = kernel.folder.string();
  if (kernel.cpu) item.devices.emplace_back(name_of(DeviceKind::cpu));
  if (kernel.sim) item.devices.emplace_back(name_of(DeviceKind::sim));
  if (kernel.gpu)
    for (const DeviceKind kind : gpu_kinds)
      item.devices.emplace_back(name_of(kind));
  for (const auto& [size, values] : kernel.sizes)
    item.sizes.push_back(size);
  for (std::size_t variant = 0; variant < kernel.variants(); ++variant)
    item.dtypes.push_back(variant_name(kernel, variant));
  item.restore_value = kernel.restore_value;
  item.reset_to_zero = kernel.reset_to_zero;
  return item;
}

void add_mutants(const std::vector<MutantInfo>& mutants, const std::string& prefix,
                 listed::Mutants& list) {
  for (const MutantInfo& mutant : mutants)
    list.mutants.push_back({mutant.name, prefix + mutant.name, mutant.summary});
}

}  // namespace

void add_json(CLI::App& command, bool& as_json) {
  command.add_flag("--json", as_json, "For programs; reports/schema describes it");
}

listed::Scenarios listed_scenarios(const std::vector<const Scenario*>& scenarios) {
  listed::Scenarios list{version(), {}};
  for (const Scenario* const scenario : scenarios)
    list.scenarios.push_back(listed_scenario(*scenario));
  return list;
}

listed::Checks listed_checks() {
  listed::Checks list{version(), {}};
  for (const Check& check : all_checks()) {
    listed::Check item;
    item.name = check.name;
    item.family = check.family;
    item.question = check.question;
    item.summary = check.summary;
    item.capability = check.capability;
    item.explained_by = split_words(check.explained_by);
    item.is_statistical = check.severity == Severity::statistical;
    list.checks.push_back(std::move(item));
  }
  return list;
}

listed::Kernels listed_kernels(const std::map<std::string, KernelDefinition>& kernels) {
  listed::Kernels list{version(), {}};
  for (const auto& [name, kernel] : kernels)
    list.kernels.push_back(listed_kernel(kernel));
  return list;
}

listed::Adapters listed_adapters(const std::map<std::string, AdapterInfo>& adapters) {
  listed::Adapters list{version(), {}};
  for (const auto& [name, adapter] : adapters)
    list.adapters.push_back({name, adapter.summary, adapter.file.string(),
                             names_of(adapter.backends), adapter.capabilities,
                             adapter.has_mutants});
  return list;
}

Result<listed::Mutants> listed_mutants(const std::string& name) {
  listed::Mutants list{version(), {}};
  TUNECHECK_TRY(const AdapterInfo adapter, find_adapter(name));
  if (name == "reference") {
    TUNECHECK_TRY(const std::vector<MutantInfo> mutants, list_mutants());
    add_mutants(mutants, std::string(mutant_prefix), list);
    TUNECHECK_TRY(const std::vector<MutantInfo> adversaries, list_adversaries());
    add_mutants(adversaries, std::string(adversary_prefix), list);
    return list;
  }
  TUNECHECK_TRY(const std::vector<MutantInfo> mutants, list_mutants_of(adapter));
  add_mutants(mutants, name + ":", list);
  return list;
}

}  // namespace tunecheck::cli
