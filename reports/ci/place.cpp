#include "reports/ci/place.hpp"

#include <algorithm>

namespace tunecheck {
namespace {

bool is_below(const std::string& file, const std::filesystem::path& root) {
  if (file.empty()) return false;
  const std::filesystem::path path(file);
  if (path.is_relative()) return *path.begin() != "..";
  const std::filesystem::path relative = path.lexically_relative(root);
  return !relative.empty() && *relative.begin() != "..";
}

}  // namespace

std::string below_root(const std::string& file, const std::filesystem::path& root) {
  const std::filesystem::path relative = std::filesystem::path(file).lexically_relative(root);
  return !relative.empty() && *relative.begin() != ".." ? relative.string() : file;
}

ReportPlace place_of(const RunResult& run, const ScenarioResult& scenario, const CheckResult* check,
                     const std::filesystem::path& root) {
  if (!is_below(scenario.file, root) && is_below(run.adapter_file, root))
    return {below_root(run.adapter_file, root), 1};
  const int line = check != nullptr && check->line > 0 ? check->line : scenario.line;
  return {below_root(scenario.file, root), std::max(1, line)};
}

}  // namespace tunecheck
