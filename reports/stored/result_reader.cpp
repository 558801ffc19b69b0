#include "reports/stored/result_reader.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "reports/stored/call_reader.hpp"

namespace tunecheck {
namespace {

Stages stages_from(const JsonValue& json) {
  Stages stages;
  stages.prepare_ns = json.field("prepare_ns").count();
  stages.adapter_ns = json.field("adapter_ns").count();
  stages.reference_ns = json.field("reference_ns").count();
  stages.evidence_ns = json.field("evidence_ns").count();
  stages.check_ns = json.field("check_ns").count();
  return stages;
}

CheckResult check_from(const JsonValue& json) {
  CheckResult check;
  check.check = json.field("check").text();
  check.verdict = json.field("verdict").verdict();
  check.process = json.field("process").text();
  check.call = json.field("call").whole<int>();
  check.line = json.field("line").whole<int>();
  check.expected = json.field("expected").text();
  check.observed = json.field("observed").text();
  check.evidence = json.field("evidence").texts_or_none();
  return check;
}

ProcessSummary process_from(const JsonValue& json) {
  ProcessSummary process;
  process.name = json.field("name").text();
  process.end.exit_status = json.field("exit_status").whole<int>();
  process.end.signal = json.field("signal").whole<int>();
  process.end.timed_out = json.field("timed_out").truth();
  process.end.wall_ns = json.field("wall_ns").count();
  process.end.cpu_ns = json.field("cpu_ns").count();
  process.end.peak_memory_kib = json.field("peak_memory_kib").count();
  process.compiles = json.field("compiles").count();
  process.compiles_from_store = json.field("compiles_from_store").count();
  process.launches = json.field("launches").count();
  process.log = json.field("log").text();
  for (const JsonValue& call : json.field("calls").items_or_none())
    process.calls.push_back(call_from(call));
  process.calls_left_out = json.field("calls_left_out").count_or_nothing();
  return process;
}

KnownFailure mark_from(const JsonValue& json, const std::string& scenario) {
  KnownFailure mark;
  mark.scenario = scenario;
  mark.checks = json.field("checks").texts_or_none();
  mark.reason = json.field("reason").text();
  mark.link = json.field("link").text();
  const JsonValue until = json.field("until");
  const auto date = parse_date(until.text());
  if (!date)
    throw JsonMistake{until.pointer(), fmt::format("expected a date such as 2027-03-31, found "
                                                   "\"{}\"",
                                                   until.text())};
  mark.until = *date;
  mark.file = json.field("file").text();
  mark.line = json.field("line").whole<int>();
  return mark;
}

LeftOut left_out_from(const JsonValue& json) {
  return {json.field("name").text(), json.field("reason").text(),
          json.field("checks").texts_or_none()};
}

auto identity(const RunResult& result) {
  return std::tuple(result.adapter, result.tuner, result.backend, device_of(result));
}

// `later` began later.
RunResult merged(RunResult earlier, RunResult later) {
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
  if (!earlier.file.empty()) later.file = earlier.file + ", " + later.file;
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
  return later;
}

}  // namespace

ScenarioResult scenario_from(const JsonValue& json) {
  ScenarioResult scenario;
  scenario.name = json.field("name").text();
  scenario.family = json.field("family").text();
  scenario.file = json.field("file").text();
  scenario.line = json.field("line").whole<int>();
  scenario.because = json.field("because").text();
  scenario.kernel = json.field("kernel").text();
  scenario.adapter = json.field("adapter").text();
  scenario.tuner = json.field("tuner").text();
  scenario.device = json.field("device").text_or_nothing();
  scenario.verdict = json.field("verdict").verdict();
  scenario.message = json.field("message").text();
  scenario.lacks = json.field("lacks").text_or_nothing();
  if (const JsonValue mark = json.field("known"); mark.exists())
    scenario.known = mark_from(mark, scenario.name);
  for (const JsonValue& check : json.field("checks").items())
    scenario.checks.push_back(check_from(check));
  scenario.unanswered = json.field("unanswered").texts_or_none();
  for (const JsonValue& process : json.field("processes").items())
    scenario.processes.push_back(process_from(process));
  scenario.stages = stages_from(json.field("stages"));
  scenario.wall_ns = json.field("wall_ns").count();
  scenario.workspace = json.field("workspace").text();
  scenario.repro = json.field("repro").text();
  if (scenario.verdict == Verdict::known && !scenario.known)
    throw JsonMistake{json.field("known").pointer(),
                      "expected the mark of a scenario that is known to fail, found nothing"};
  return scenario;
}

RunResult run_from(const JsonValue& json, std::vector<ScenarioResult> scenarios) {
  (void)json.field("scenarios").items();  // it is a list, whatever was in it
  RunResult result;
  result.tunecheck_version = json.field("tunecheck_version").text();
  result.started = json.field("started").text();
  result.adapter = json.field("adapter").text();
  result.tuner = json.field("tuner").text();
  result.backend = json.field("backend").text();
  result.seed = json.field("seed").whole<std::uint64_t>();
  result.jobs = json.field("jobs").whole<int>();
  const JsonValue environment = json.field("environment");
  for (const std::string& name : environment.names())
    result.environment[name] = environment.field(name).text();
  result.wall_ns = json.field("wall_ns").count();
  result.stages = stages_from(json.field("stages"));
  result.trouble = json.field("trouble").text_or_nothing();
  result.pending = json.field("pending").texts_or_none();
  for (const JsonValue& scenario : json.field("left_out").items_or_none())
    result.left_out.push_back(left_out_from(scenario));
  result.scenarios = std::move(scenarios);
  return result;
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

std::string device_of(const RunResult& result) {
  for (const char* const name : {"device", "cpu"})
    if (const auto found = result.environment.find(name); found != result.environment.end())
      return found->second;
  return {};
}

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
    RunResult& one = all.emplace_back(std::move(group.front()));
    for (std::size_t i = 1; i < group.size(); ++i)
      one = merged(std::move(one), std::move(group[i]));
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

}  // namespace tunecheck
