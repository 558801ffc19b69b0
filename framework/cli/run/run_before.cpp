#include "cli/run/run_before.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include "reports/stored/result_reader.hpp"
#include "reports/summary/changes.hpp"
#include "reports/summary/failures.hpp"

namespace tunecheck::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kept_name = "previous.json";

bool has_all_failures_of(const RunResult& run, const RunResult& before) {
  std::set<std::string_view> asked;
  for (const ScenarioResult& scenario : before.scenarios)
    asked.insert(scenario.name);
  return std::all_of(run.scenarios.begin(), run.scenarios.end(), [&](const ScenarioResult& each) {
    return !is_bad(each) || asked.contains(each.name);
  });
}

}  // namespace

void keep_run_before(const fs::path& out) {
  const auto before = read_result(out / "result.json");
  if (!before || !before->pending.empty()) return;
  std::error_code unkept;
  fs::copy_file(out / "result.json", out / kept_name, fs::copy_options::overwrite_existing, unkept);
}

std::vector<RunResult> run_before(const fs::path& out, const RunResult& run) {
  auto before = read_result(out / kept_name);
  if (!before || base_of(run, std::span(&*before, 1)) == nullptr ||
      !has_all_failures_of(run, *before))
    return {};
  return {std::move(*before)};
}

}  // namespace tunecheck::cli
