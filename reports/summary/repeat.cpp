#include "reports/summary/repeat.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "core/device_kinds.hpp"
#include "core/shell.hpp"

namespace tunecheck {
namespace {

std::string tuner_options(std::string_view adapter, std::string_view backend) {
  std::string options;
  if (!adapter.empty()) options = fmt::format(" --adapter {}", shell_quoted(adapter));
  if (!backend.empty() && backend != name_of(DeviceKind::cpu))
    options += fmt::format(" --backend {}", shell_quoted(backend));
  return options;
}

// The options that all scenarios of a run have in the commands that repeat them, except the folder,
// which each of these commands has for itself below the run's; "" where no scenario was run.
std::string shared_options(const RunResult& run, std::string& folder) {
  if (run.scenarios.empty()) return {};
  const ScenarioResult& first = run.scenarios.front();
  const std::string begin = "tunecheck run " + shell_quoted(first.name);
  if (!first.repro.starts_with(begin)) return {};
  std::string options = first.repro.substr(begin.size());
  if (const auto keep = options.find(" --keep"); keep != options.npos) options.erase(keep, 7);
  constexpr std::string_view out = " --out ", repeat = "/repeat";
  const auto at = options.find(out);
  if (at == options.npos) return options;
  // The folder is quoted as a whole, or not at all.
  const auto end = options.find(repeat, at);
  if (end == options.npos) return {};
  folder = options.substr(at, end - at);
  auto rest = end + repeat.size();
  if (rest < options.size() && options[rest] == '\'') {
    folder += '\'';
    ++rest;
  }
  return options.substr(0, at) + options.substr(rest);
}

}  // namespace

std::string resume_command(const RunResult& run) {
  std::string folder;
  std::string options = shared_options(run, folder);
  if (options.empty()) options = tuner_options(run.adapter, run.backend);
  // The commands that repeat scenarios name no absolute folder. Where the result lies is its
  // folder, unless somebody gave it another name.
  const std::filesystem::path file = run.file;
  if (file.filename() == "result.json")
    folder = " --out " + shell_quoted(file.has_parent_path() ? file.parent_path().string() : ".");
  return "tunecheck run" + options + folder + " --resume";
}

std::string scenario_command(std::string_view scenario, const history::Fingerprint& tuner) {
  const auto fact = [&](const char* name) -> std::string_view {
    const auto found = tuner.find(name);
    return found == tuner.end() ? std::string_view() : std::string_view(found->second);
  };
  return "tunecheck run " + shell_quoted(scenario) +
         tuner_options(fact("adapter"), fact("backend"));
}

}  // namespace tunecheck
