#pragma once
// What lists for programs say of scenarios, checks, kernels, adapters and mutants.
#include <map>
#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "core/kernel.hpp"
#include "core/result.hpp"
#include "harness/process/adapter_info.hpp"
#include "judge/scenario/scenario.hpp"
#include "reports/fields/list_fields.hpp"

namespace tunecheck::cli {

/// --json, for every list.
void add_json(CLI::App& command, bool& as_json);

[[nodiscard]] listed::Scenarios listed_scenarios(const std::vector<const Scenario*>& scenarios);
[[nodiscard]] listed::Checks listed_checks();
[[nodiscard]] listed::Kernels listed_kernels(
    const std::map<std::string, KernelDefinition>& kernels);
[[nodiscard]] listed::Adapters listed_adapters(const std::map<std::string, AdapterInfo>& adapters);

/// The bugs that can be planted into an adapter's tuner; of "reference" also the adversaries.
[[nodiscard]] Result<listed::Mutants> listed_mutants(const std::string& adapter);

}  // namespace tunecheck::cli
