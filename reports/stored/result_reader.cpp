#include "reports/stored/result_reader.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "core/text.hpp"
#include "reports/fields/run_fields.hpp"
#include "reports/stored/json_file.hpp"

namespace tunecheck {
namespace {

// A known failure is one by its mark, which is the scenario's own.
void check_mark(const JsonValue& json, ScenarioResult& scenario) {
  if (scenario.known)
    scenario.known->scenario = scenario.name;
  else if (scenario.verdict == Verdict::known)
    throw JsonMistake{json.field("known").pointer(),
                      "expected the mark of a scenario that is known to fail, found nothing"};
}

// A report of some parts is none of the whole.
void note_missing_parts(const ShardOf& shard, RunResult& result) {
  const auto found = static_cast<std::int64_t>(result.scenarios.size() + result.pending.size());
  if (found >= shard.scenarios) return;
  result.scenarios_not_given = shard.scenarios - found;
  result.pending.push_back(
      fmt::format("{} of parts that are not given",
                  counted(static_cast<std::size_t>(result.scenarios_not_given), "scenario")));
}

// Nobody writes this: somebody has changed the file.
void check_verdict(const JsonValue& json, const ScenarioResult& scenario) {
  if (scenario.verdict != Verdict::pass) return;
  for (const CheckResult& check : scenario.checks)
    if (check.verdict == Verdict::fail || check.verdict == Verdict::error)
      throw JsonMistake{json.field("verdict").pointer(),
                        fmt::format("expected no \"pass\" where the check {} failed", check.check)};
}

auto identity(const RunResult& result) {
  return std::tuple(result.adapter, result.tuner, result.backend, device_of(result));
}

}  // namespace

RunResult joined(RunResult earlier, RunResult later) {
  std::map<std::string, ScenarioResult> scenarios;
  std::map<std::string, LeftOut> left_out;
  std::set<std::string> pending;
  for (RunResult* const result : {&earlier, &later}) {
    for (ScenarioResult& scenario : result->scenarios)
      scenarios.insert_or_assign(scenario.name, std::move(scenario));
    for (LeftOut& scenario : result->left_out)
      left_out.insert_or_assign(scenario.name, std::move(scenario));
    pending.insert(result->pending.begin(), result->pending.end());
  }
  later.wall_ns += earlier.wall_ns;
  if (later.trouble.empty()) later.trouble = earlier.trouble;
  if (!earlier.file.empty())
    later.file = later.file.empty() ? earlier.file : earlier.file + ", " + later.file;
  later.scenarios.clear();
  later.left_out.clear();
  later.stages = {};
  for (auto& [name, scenario] : scenarios) {
    left_out.erase(name);
    pending.erase(name);
    later.stages += scenario.stages;
    later.scenarios.push_back(std::move(scenario));
  }
  for (auto& [name, scenario] : left_out)
    later.left_out.push_back(std::move(scenario));
  later.pending.assign(pending.begin(), pending.end());
  later.shard.reset();
  return later;
}

ScenarioResult scenario_from(const JsonValue& json) {
  auto scenario = read_as<ScenarioResult>(json);
  check_mark(json, scenario);
  check_verdict(json, scenario);
  return scenario;
}

RunResult run_from(const JsonValue& json, std::vector<ScenarioResult> scenarios) {
  auto result = read_as<RunResult>(json);
  result.scenarios = std::move(scenarios);
  // It says of itself that something is missing, and not what.
  if (const JsonValue complete = json.field("complete");
      complete.exists() && !complete.truth() && result.pending.empty())
    result.pending = {"scenarios that the file does not name"};
  return result;
}

AuditResult audit_from(const JsonValue& json) {
  auto audit = read_as<AuditResult>(json);
  const std::vector<JsonValue> scenarios = json.field("reference").field("scenarios").items();
  for (std::size_t i = 0; i < scenarios.size(); ++i)
    check_mark(scenarios[i], audit.reference.scenarios[i]);
  return audit;
}

Result<RunResult> read_result(const std::filesystem::path& file) {
  std::vector<ScenarioResult> scenarios;
  RunResult result;
  TUNECHECK_CHECK(read_json_file(
      file, [&](const JsonValue& json) { scenarios.push_back(scenario_from(json)); },
      [&](const JsonValue& json) {
        if (!json.field("scenarios").exists())
          throw JsonMistake{"/scenarios", "expected a file that `tunecheck run` wrote"};
        result = run_from(json, std::move(scenarios));
      }));
  result.file = file.string();
  return result;
}

Result<AuditResult> read_audit(const std::filesystem::path& file) {
  AuditResult audit;
  TUNECHECK_CHECK(read_json_file(
      file, [](const JsonValue&) {},
      [&](const JsonValue& json) {
        expect_kind(json, JsonKind::audit);
        audit = audit_from(json);
      }));
  return audit;
}

Result<bool> is_audit(const std::filesystem::path& file) {
  JsonKind kind = JsonKind::run;
  TUNECHECK_CHECK(read_json_file(
      file, [](const JsonValue&) {}, [&](const JsonValue& json) { kind = kind_of(json); }));
  return kind == JsonKind::audit;
}

std::string device_of(const RunResult& result) {
  for (const char* const name : {"device", "cpu"})
    if (const auto found = result.environment.find(name); found != result.environment.end())
      return found->second;
  return {};
}

namespace {

// How long a run took whose parts ran at the same time, on machines of their own: as long as the
// longest of them. What ran one after the other, such as a run that was resumed, took the sum.
std::int64_t wall_ns_of(const std::vector<RunResult>& group) {
  std::map<int, std::int64_t> by_part;
  for (const RunResult& result : group)
    by_part[result.shard ? result.shard->number : 0] += result.wall_ns;
  std::int64_t longest_ns = 0;
  for (const auto& [part, wall_ns] : by_part)
    longest_ns = std::max(longest_ns, wall_ns);
  return longest_ns;
}

}  // namespace

std::vector<RunResult> merged(std::vector<RunResult> results) {
  std::vector<std::vector<RunResult>> groups;
  for (RunResult& result : results) {
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
      return identity(group.front()) == identity(result);
    });
    auto& group = same == groups.end() ? groups.emplace_back() : *same;
    group.push_back(std::move(result));
  }
  std::vector<RunResult> all;
  for (auto& group : groups) {
    std::stable_sort(group.begin(), group.end(),
                     [](const RunResult& a, const RunResult& b) { return a.started < b.started; });
    const std::int64_t wall_ns = wall_ns_of(group);
    RunResult& one = all.emplace_back(std::move(group.front()));
    const std::optional<ShardOf> shard = one.shard;
    for (std::size_t i = 1; i < group.size(); ++i)
      one = joined(std::move(one), std::move(group[i]));
    one.wall_ns = wall_ns;
    if (shard) note_missing_parts(*shard, one);
  }
  return all;
}

void name_files_from(const std::filesystem::path& folder, RunResult& result) {
  const auto place = [&](std::string& file) {
    if (!file.empty()) file = (folder / file).string();
  };
  for (ScenarioResult& scenario : result.scenarios) {
    place(scenario.workspace);
    for (ProcessSummary& process : scenario.processes)
      place(process.log);
    for (CheckResult& check : scenario.checks)
      for (std::string& file : check.evidence)
        place(file);
  }
}

void name_scenarios_from_here(RunResult& result) {
  std::error_code unknown;
  const std::filesystem::path here = std::filesystem::current_path(unknown);
  for (ScenarioResult& scenario : result.scenarios) {
    const std::filesystem::path below =
        std::filesystem::path(scenario.file).lexically_relative(here);
    if (!below.empty() && *below.begin() != "..") scenario.file = below.string();
  }
}

}  // namespace tunecheck
