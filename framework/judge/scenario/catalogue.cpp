#include "judge/scenario/catalogue.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <system_error>

#include "core/resources.hpp"
#include "core/text.hpp"
#include "harness/process/adapter_line.hpp"
#include "judge/scenario/coverage.hpp"
#include "judge/scenario/named_checks.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;

// Folders of kernels hold INFO files of another kind, and the scenarios of the kernel in one.
bool is_kernel_folder(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / "kernel.info", error);
}

void add_file_of_kernel(const fs::path& folder, std::vector<fs::path>& files) {
  std::error_code error;
  const fs::path file = folder / "scenario.info";
  if (fs::is_regular_file(file, error)) files.push_back(file);
}

Result<std::vector<fs::path>> scenario_files(const fs::path& path) {
  std::error_code error;
  if (fs::is_regular_file(path, error)) return std::vector<fs::path>{path};
  std::vector<fs::path> files;
  if (is_kernel_folder(path)) {
    add_file_of_kernel(path, files);
    if (!files.empty()) return files;
    return failure(Error{ErrorKind::bad_input,
                         "expected a scenario file: this folder of a kernel has no scenario.info",
                         path.string(),
                         0,
                         {}});
  }
  for (auto at = fs::recursive_directory_iterator(path, error); at != fs::end(at); ++at) {
    if (at->is_directory() && is_kernel_folder(at->path())) {
      at.disable_recursion_pending();
      add_file_of_kernel(at->path(), files);
    }
    if (at->is_regular_file() && at->path().extension() == ".info" &&
        at->path().filename() != upstream_bugs_file)
      files.push_back(at->path());
  }
  if (error)
    return failure(Error{ErrorKind::bad_input,
                         "expected a scenario file or a folder of them: " + error.message(),
                         path.string(),
                         0,
                         {}});
  if (files.empty())
    return failure(Error{ErrorKind::bad_input,
                         "expected a scenario file in the folder or below it, found none",
                         path.string(),
                         0,
                         {}});
  std::sort(files.begin(), files.end());
  return files;
}

LoopRows rows_of(std::vector<PromisedVariable> variables, DeviceKind backend) {
  std::erase_if(variables, [&](const auto& variable) { return !variable.holds_on(backend); });
  if (variables.empty()) variables = {{"TUNECHECK_VARIABLE", "1", "2"}};
  LoopRows rows;
  for (const PromisedVariable& each : variables) {
    std::string name = each.name;
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    rows.push_back({{"variable", each.name}, {"name", name}, {"from", each.from}, {"to", each.to}});
  }
  return rows;
}

}  // namespace

LoopTables promises_of(const AdapterInfo& adapter, DeviceKind backend) {
  return {{std::string(keyed_variables_capability), rows_of(adapter.keyed_variables, backend)},
          {std::string(free_variables_capability), rows_of(adapter.free_variables, backend)}};
}

const KernelDefinition& Catalogue::kernel_of(const Scenario& scenario) const {
  const auto found = kernels.find(scenario.kernel);
  return found != kernels.end() ? found->second : test_kernels.at(scenario.kernel);
}

Result<Catalogue> read_catalogue(const CatalogueOptions& options) {
  const Resources resources = find_resources();
  Catalogue catalogue;
  std::vector<fs::path> folders = {resources.kernels};
  folders.insert(folders.end(), options.kernel_folders.begin(), options.kernel_folders.end());
  TUNECHECK_TRY(catalogue.kernels, read_kernels(folders));
  TUNECHECK_TRY(catalogue.test_kernels, read_kernels({resources.scenarios / "kernels"}));
  std::map<std::string, const KernelDefinition*> known;
  for (const auto* const kernels : {&catalogue.kernels, &catalogue.test_kernels})
    for (const auto& [name, kernel] : *kernels)
      known[name] = &kernel;
  const LoopTables tables =
      promises_of(options.adapter != nullptr ? *options.adapter : AdapterInfo(), options.backend);
  std::vector<fs::path> paths = options.scenario_paths;
  if (paths.empty()) paths = {resources.scenarios};
  for (const fs::path& path : paths) {
    TUNECHECK_TRY(const std::vector<fs::path> files, scenario_files(path));
    for (const fs::path& file : files) {
      TUNECHECK_TRY(std::vector<Scenario> scenarios, read_scenarios(file, known, tables));
      for (Scenario& scenario : scenarios) {
        const std::string name = scenario.name;
        const int line = scenario.line;
        const auto [place, added] = catalogue.scenarios.emplace(name, std::move(scenario));
        if (!added)
          return failure(
              Error{ErrorKind::bad_input,
                    fmt::format("\"{}\" is also a scenario in {}; expected different names", name,
                                place->second.file.string()),
                    file.string(), line, "name"});
      }
    }
  }
  return catalogue;
}

Result<void> check_kernels(const AdapterInfo& adapter, const Catalogue& catalogue) {
  std::vector<std::string> known;
  for (const auto* const kernels : {&catalogue.kernels, &catalogue.test_kernels})
    for (const auto& [name, kernel] : *kernels)
      known.push_back(name);
  for (const std::string& kernel : adapter.kernels) {
    if (std::find(known.begin(), known.end(), kernel) != known.end()) continue;
    const auto nearest = nearest_word(kernel, known);
    return failure(Error{
        ErrorKind::bad_input,
        fmt::format("unknown kernel \"{}\"; {}", kernel,
                    nearest ? fmt::format("did you mean \"{}\"?", *nearest)
                            : "expected one of tunecheck's, or of a folder given by --kernels"),
        adapter.file.string(), adapter_line(adapter, "kernels"), "kernels"});
  }
  return {};
}

void name_kernels(AdapterInfo& adapter, const Catalogue& catalogue, DeviceKind backend) {
  const auto brings = [&](const KernelDefinition& kernel) {
    const auto& versions = kernel.versions;
    return !adapter.kernel_version.empty() &&
           std::find(versions.begin(), versions.end(), adapter.kernel_version) != versions.end();
  };
  const bool has_all = adapter.kernels.empty();
  for (const auto* const kernels : {&catalogue.kernels, &catalogue.test_kernels})
    for (const auto& [name, kernel] : *kernels) {
      const bool has_source =
          kernel.sim || (is_gpu(backend) ? kernel.gpu.has_value() : kernel.cpu.has_value());
      const bool is_new = has_all || !adapter.has_kernel(name);
      if ((has_all && has_source) || (is_new && brings(kernel))) adapter.kernels.push_back(name);
      if (brings(kernel)) adapter.versioned_kernels.push_back(name);
    }
}

std::string scenario_glob(const std::string& given, const Catalogue& catalogue) {
  const auto is_of_family = [&](const auto& each) { return each.second.family == given; };
  const bool is_scenario = catalogue.scenarios.contains(given);
  return !is_scenario &&
                 std::any_of(catalogue.scenarios.begin(), catalogue.scenarios.end(), is_of_family)
             ? given + ".*"
             : given;
}

std::string no_scenario_matches(const std::string& glob, const Catalogue& catalogue) {
  // A family stands for its scenarios, with ".*" or without.
  std::set<std::string> known;
  for (const auto& [name, scenario] : catalogue.scenarios) {
    known.insert(name);
    known.insert(scenario.family + ".*");
  }
  const std::vector<std::string> names(known.begin(), known.end());
  const bool is_bare = glob.find_first_of(".*?[") == glob.npos;
  auto nearest = nearest_word(is_bare ? glob + ".*" : glob, names);
  if (!nearest) nearest = nearest_word(glob, names);
  return "no scenario matches \"" + glob +
         (nearest ? "\"; did you mean \"" + *nearest + "\"?"
                  : "\"; `tunecheck scenarios list` shows them");
}

Result<std::vector<const Scenario*>> select_scenarios(const Catalogue& catalogue,
                                                      const std::vector<std::string>& globs) {
  std::set<std::string> names;
  for (const std::string& given : globs) {
    const std::string glob = scenario_glob(given, catalogue);
    bool any = false;
    for (const auto& [name, scenario] : catalogue.scenarios)
      if (matches_glob(glob, name)) {
        names.insert(name);
        any = true;
      }
    if (!any) return failure(ErrorKind::bad_input, "{}", no_scenario_matches(given, catalogue));
  }
  std::vector<const Scenario*> selected;
  for (const auto& [name, scenario] : catalogue.scenarios)
    if (globs.empty() || names.contains(name)) selected.push_back(&scenario);
  if (selected.empty()) return failure(ErrorKind::bad_input, "there is no scenario to run");
  return selected;
}

Selection for_backend(const std::vector<const Scenario*>& scenarios, DeviceKind backend) {
  Selection selection;
  for (const Scenario* const scenario : scenarios)
    if (std::string reason = why_left_out(*scenario, backend); reason.empty())
      selection.scenarios.push_back(scenario);
    else
      selection.left_out.push_back(
          {scenario->name, std::move(reason), unanswered(*scenario, {}, backend)});
  return selection;
}

}  // namespace tunecheck
