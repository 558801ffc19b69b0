#include "hand_made_results.hpp"

#include <fmt/format.h>

namespace tunecheck::test {
namespace {

ScenarioResult scenario(const std::string& name, Verdict verdict) {
  ScenarioResult result;
  result.name = name;
  result.family = name.substr(0, name.find('.'));
  result.file = "scenarios/" + result.family + ".info";
  result.line = 3;
  result.because = "a kernel ran on its own output";
  result.kernel = "axpy_inplace";
  result.adapter = "reference";
  result.verdict = verdict;
  result.stages = {
      .prepare_ns = 1, .adapter_ns = 70, .reference_ns = 20, .evidence_ns = 4, .check_ns = 5};
  result.wall_ns = 1'500'000'000;
  result.repro = "tunecheck run '" + name + "' --adapter reference";
  return result;
}

CheckResult check(const std::string& name, Verdict verdict, int call) {
  return {.check = name,
          .verdict = verdict,
          .process = "cold",
          .call = call,
          .line = 9,
          .expected = "every launch sees the caller's input",
          .observed = "83 of 84 launches saw another one",
          .evidence = {name + "/events.jsonl"}};
}

// Two configs that were measured and one that does not compile; the winner's trials ran on what the
// others had left.
CallSummary tuned_call() {
  CallSummary call;
  call.number = 1;
  call.line = 9;
  call.wall_ns = 5'000'000;
  call.outcome = "no answer";
  call.message = "the adapter ended before it answered";
  call.sizes = {{"n", 4096}};
  call.bytes = 49152;
  call.flops = 8192;
  call.compiles = 3;
  call.launches = call.trial_launches = 84;
  call.configs = {
      {"block=64", true, false, "", 1000.5, 42, 990, "", 42, {900, 1000, 1100}},
      {"block=128", false, true, "", 2000, 42, 1990, "", 42, {1900, 2000, 2100}},
      {"block=7", false, false, "exit status 1", 0, 0, 0, "it does not compile", 0, {}}};
  call.events = {{"compile", 10, 1000, "block=64", 1, 0, 0, true, ""},
                 {"trials", 2000, 42000, "block=64", 42, 0, 41, false, ""},
                 {"killed", 50000, 0, "", 1, 0, 0, false, "at before_write_1 of entry.json"}};
  return call;
}

ProcessSummary dead_process() {
  ProcessSummary process;
  process.name = "cold";
  process.end = {.signal = 11, .wall_ns = 7, .cpu_ns = 6, .peak_memory_kib = 5};
  process.compiles = 3;
  process.compiles_from_store = 2;
  process.launches = 84;
  process.log = "reload.dead/cold.log";
  process.calls = {tuned_call()};
  return process;
}

RunResult with(std::vector<ScenarioResult> scenarios) {
  RunResult result;
  result.tunecheck_version = "0.1.0";
  result.started = "2024-05-01T12:00:00Z";
  result.adapter = "reference";
  result.tuner = "tunecheck reference 0.1.0";
  result.backend = "cpu";
  result.seed = 18'446'744'073'709'551'615U;
  result.jobs = 2;
  result.environment = {{"cores", "2"}, {"host", "here"}};
  for (const ScenarioResult& one : scenarios)
    result.stages += one.stages;
  result.scenarios = std::move(scenarios);
  result.wall_ns = 12'340'000'000;
  return result;
}

void make_hostile(std::string& text) {
  text = hostile_text();
}

void make_hostile(CallSummary& call) {
  for (std::string* text : {&call.message, &call.winner, &call.arch})
    make_hostile(*text);
  call.missed_axes = {hostile_text()};
  call.sizes = {{hostile_text(), 1}};
  for (ConfigSummary& config : call.configs)
    for (std::string* text : {&config.config, &config.failure, &config.own_failure})
      make_hostile(*text);
  for (CallEvent& event : call.events)
    for (std::string* text : {&event.config, &event.text})
      make_hostile(*text);
}

void make_hostile(ScenarioResult& scenario) {
  for (std::string* text : {&scenario.name, &scenario.family, &scenario.file, &scenario.because,
                            &scenario.kernel, &scenario.adapter, &scenario.tuner, &scenario.device,
                            &scenario.message, &scenario.workspace, &scenario.repro})
    make_hostile(*text);
  scenario.message += std::string(65536, '&');
  for (CheckResult& one : scenario.checks) {
    for (std::string* text : {&one.check, &one.process, &one.expected, &one.observed})
      make_hostile(*text);
    for (std::string& text : one.evidence)
      make_hostile(text);
  }
  for (ProcessSummary& one : scenario.processes) {
    make_hostile(one.name);
    make_hostile(one.log);
    for (CallSummary& call : one.calls)
      make_hostile(call);
  }
}

}  // namespace

std::string hostile_text() {
  using namespace std::string_literals;
  return "a\0b\x01\x1b[31m<x y=\"'&]]>\r\n\t\\ \xff\xc0\xaf \xed\xa0\x80 \xef\xbf\xbe "
         "\xe2\x80\xae \xc2\x9b é 漢 {} %s"s;
}

RunResult mixed_result() {
  ScenarioResult failed = scenario("restore.axpy", Verdict::fail);
  failed.checks = {check("output.reference", Verdict::pass, 1),
                   check("inputs.pristine", Verdict::fail, 1),
                   check("inputs.pristine", Verdict::fail, 2)};
  failed.workspace = "restore.axpy";
  ScenarioResult dead = scenario("reload.dead", Verdict::error);
  dead.message = "the adapter ended before it answered";
  dead.processes = {dead_process()};
  ScenarioResult unsupported = scenario("reload.other", Verdict::unsupported);
  unsupported.message = "needs threads";
  ScenarioResult fine = scenario("restore.fine", Verdict::pass);
  fine.checks = {check("output.reference", Verdict::pass, 1)};
  return with({dead, unsupported, failed, fine});
}

RunResult hostile_result() {
  RunResult result = mixed_result();
  for (std::string* text : {&result.tunecheck_version, &result.started, &result.adapter,
                            &result.tuner, &result.backend})
    make_hostile(*text);
  result.environment[hostile_text()] = hostile_text();
  for (ScenarioResult& one : result.scenarios)
    make_hostile(one);
  return result;
}

RunResult result_with_marks() {
  KnownFailure mark;
  mark.checks = {"inputs.pristine"};
  mark.reason = "nothing is put back yet";
  mark.link = "https://example.org/issues/1";
  mark.until = std::chrono::year_month_day(std::chrono::year(2027), std::chrono::month(3),
                                           std::chrono::day(31));
  mark.file = "known.info";
  mark.line = 4;
  ScenarioResult failed = scenario("restore.axpy", Verdict::known);
  failed.checks = {check("inputs.pristine", Verdict::fail, 1)};
  failed.known = mark;
  ScenarioResult passed = scenario("restore.mended", Verdict::fail);
  passed.message = "it passes, but known.info:9 marks it as known to fail; remove the mark";
  passed.checks = {check("output.reference", Verdict::pass, 1)};
  passed.known = mark;
  return with({failed, passed});
}

RunResult run_with_thirty_failures() {
  std::vector<ScenarioResult> all;
  const auto add = [&](const std::string& name, const std::vector<std::string>& failed) {
    all.push_back(scenario(name, failed.empty() ? Verdict::pass : Verdict::fail));
    for (const std::string& each : failed)
      all.back().checks.push_back(check(each, Verdict::fail, 1));
  };
  for (int i = 10; i < 12; ++i)
    add(fmt::format("concurrency.scenario_{}", i), {"caller.unharmed"});
  add("faults.of_two_kinds", {"corrupt.is_miss", "inputs.pristine", "output.reference"});
  for (int i = 10; i < 13; ++i)
    add(fmt::format("reload.scenario_{}", i), {"inputs.pristine"});
  for (int i = 10; i < 34; ++i)
    add(fmt::format("restore.scenario_{}", i), {"output.reference", "inputs.pristine"});
  for (int i = 10; i < 26; ++i)
    add(fmt::format("validity.scenario_{}", i), {});
  return with(std::move(all));
}

AuditResult incomplete_audit() {
  AuditResult audit;
  audit.tunecheck_version = "0.1.0";
  audit.started = "2024-05-01T12:00:00Z";
  audit.mutants = {{"no_restore", "restores nothing"}, {"sleeper", "forgets at night"}};
  audit.checks = {"inputs.pristine", "output.reference"};
  audit.kills = {{"no_restore", "restore.axpy", {"inputs.pristine"}, Verdict::fail, ""},
                 {"no_restore", "restore.fine", {"inputs.pristine"}, Verdict::fail, ""},
                 {"sleeper", "restore.fine", {}, Verdict::pass, ""}};
  audit.reference =
      with({scenario("restore.axpy", Verdict::pass), scenario("restore.fine", Verdict::pass)});
  audit.wall_ns = 61'000'000'000;
  return audit;
}

AuditResult complete_audit() {
  AuditResult audit = incomplete_audit();
  audit.mutants.pop_back();
  audit.kills.pop_back();
  audit.kills[1].checks.push_back("output.reference");
  return audit;
}

}  // namespace tunecheck::test
