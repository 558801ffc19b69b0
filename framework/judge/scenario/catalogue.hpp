#pragma once
// All kernels and scenarios there are, and which of them a run takes.
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/device_kinds.hpp"
#include "core/kernel.hpp"
#include "core/result.hpp"
#include "harness/process/adapter_info.hpp"
#include "judge/scenario/scenario.hpp"
#include "result/verdict.hpp"

namespace tunecheck {

/// The kernels and scenarios of a run, all of them read and checked.
struct Catalogue {
  std::map<std::string, KernelDefinition> kernels;       ///< provable kernels
  std::map<std::string, KernelDefinition> test_kernels;  ///< hostile on purpose, scenarios only
  std::map<std::string, Scenario> scenarios;             ///< by name

  [[nodiscard]] const KernelDefinition& kernel_of(const Scenario& scenario) const;
};

struct CatalogueOptions {
  std::vector<std::filesystem::path> kernel_folders;  ///< beside tunecheck's own
  std::vector<std::filesystem::path>
      scenario_paths;  ///< files or folders; tunecheck's own if empty
  /// Whose promises `each` loops go through. Without one, or where it promises nothing of the kind,
  /// they make one round with made-up words, so that every scenario can be read.
  const AdapterInfo* adapter = nullptr;
  DeviceKind backend = DeviceKind::cpu;  ///< where that is promised
};

/// What `each` loops go through; see CatalogueOptions::adapter.
[[nodiscard]] LoopTables promises_of(const AdapterInfo& adapter, DeviceKind backend);

/// Reads everything; the first mistake in any file is the error.
[[nodiscard]] Result<Catalogue> read_catalogue(const CatalogueOptions& options);

/// An error where the adapter names a kernel in its `kernels` that the catalogue does not have.
/// Before name_kernels().
[[nodiscard]] Result<void> check_kernels(const AdapterInfo& adapter, const Catalogue& catalogue);

/// Adds the kernels that bring a version for the adapter's tuner to those that it has, and takes
/// from an adapter that has all kernels those that have no source for the backend and no version
/// for it.
void name_kernels(AdapterInfo& adapter, const Catalogue& catalogue, DeviceKind backend);

/// The glob that a user means: "restore" is "restore.*", unless a scenario has that very name.
[[nodiscard]] std::string scenario_glob(const std::string& given, const Catalogue& catalogue);

/// What is said of a glob that matches none of them, with the nearest name where it looks like a
/// slip.
[[nodiscard]] std::string no_scenario_matches(const std::string& glob, const Catalogue& catalogue);

/// The scenarios whose names match one of `globs` (all, if there are none), by name; the bare name
/// of a family is taken for its scenarios. A glob that
/// matches nothing is an error.
[[nodiscard]] Result<std::vector<const Scenario*>> select_scenarios(
    const Catalogue& catalogue, const std::vector<std::string>& globs);

/// What of some scenarios a run on a kind of device runs, and what it leaves out.
struct Selection {
  std::vector<const Scenario*> scenarios;
  std::vector<LeftOut> left_out;
};
[[nodiscard]] Selection for_backend(const std::vector<const Scenario*>& scenarios,
                                    DeviceKind backend);

}  // namespace tunecheck
