#include "reports/stored/json.hpp"

#include <nlohmann/json.hpp>

#include "core/files.hpp"
#include "reports/stored/call_json.hpp"
#include "reports/stored/json_document.hpp"

namespace tunecheck {
namespace {

using Json = nlohmann::ordered_json;

Json stages_json(const Stages& stages) {
  return {{"prepare_ns", stages.prepare_ns},     {"adapter_ns", stages.adapter_ns},
          {"reference_ns", stages.reference_ns}, {"evidence_ns", stages.evidence_ns},
          {"check_ns", stages.check_ns},         {"own_ns", stages.own_ns()},
          {"total_ns", stages.total_ns()}};
}

Json check_json(const CheckResult& check) {
  return {{"check", check.check},       {"verdict", name_of(check.verdict)},
          {"process", check.process},   {"call", check.call},
          {"line", check.line},         {"expected", check.expected},
          {"observed", check.observed}, {"evidence", check.evidence}};
}

Json process_json(const ProcessSummary& process) {
  const ProcessEnd& end = process.end;
  return {{"name", process.name},
          {"end", end.text()},
          {"exit_status", end.exit_status},
          {"signal", end.signal},
          {"timed_out", end.timed_out},
          {"wall_ns", end.wall_ns},
          {"cpu_ns", end.cpu_ns},
          {"peak_memory_kib", end.peak_memory_kib},
          {"compiles", process.compiles},
          {"compiles_from_store", process.compiles_from_store},
          {"launches", process.launches},
          {"log", process.log},
          {"calls", json_list(process.calls, call_json)},
          {"calls_left_out", process.calls_left_out}};
}

Json known_json(const KnownFailure& mark) {
  return {{"checks", mark.checks},          {"reason", mark.reason}, {"link", mark.link},
          {"until", date_text(mark.until)}, {"line", mark.line},     {"file", mark.file.string()}};
}

Json scenario_json(const ScenarioResult& scenario) {
  Json json = {{"name", scenario.name},
               {"family", scenario.family},
               {"file", scenario.file},
               {"line", scenario.line},
               {"because", scenario.because},
               {"kernel", scenario.kernel},
               {"adapter", scenario.adapter},
               {"tuner", scenario.tuner},
               {"device", scenario.device},
               {"verdict", name_of(scenario.verdict)},
               {"message", scenario.message},
               {"lacks", scenario.lacks},
               {"checks", json_list(scenario.checks, check_json)},
               {"unanswered", scenario.unanswered},
               {"processes", json_list(scenario.processes, process_json)},
               {"stages", stages_json(scenario.stages)},
               {"wall_ns", scenario.wall_ns},
               {"workspace", scenario.workspace},
               {"repro", scenario.repro}};
  if (scenario.known) json["known"] = known_json(*scenario.known);
  return json;
}

Json left_out_json(const LeftOut& scenario) {
  return {{"name", scenario.name}, {"reason", scenario.reason}, {"checks", scenario.checks}};
}

Json run_json(const RunResult& result) {
  Json counts;
  for (const Verdict verdict :
       {Verdict::pass, Verdict::fail, Verdict::unsupported, Verdict::error, Verdict::known})
    counts[std::string(name_of(verdict))] = result.count(verdict);
  Json environment = Json::object();
  for (const auto& [name, value] : result.environment)
    environment[name] = value;
  return {{"schema", report_schema_version},
          {"tunecheck_version", result.tunecheck_version},
          {"started", result.started},
          {"adapter", result.adapter},
          {"tuner", result.tuner},
          {"backend", result.backend},
          {"seed", result.seed},
          {"jobs", result.jobs},
          {"environment", environment},
          {"exit_status", result.exit_status()},
          {"counts", counts},
          {"wall_ns", result.wall_ns},
          {"stages", stages_json(result.stages)},
          {"judge_share", result.judge_share()},
          {"trouble", result.trouble},
          {"complete", result.pending.empty()},
          {"pending", result.pending},
          {"left_out", json_list(result.left_out, left_out_json)},
          {"scenarios", json_list(result.scenarios, scenario_json)}};
}

Json mutant_json(const AuditResult::Mutant& mutant) {
  return {{"name", mutant.name}, {"summary", mutant.summary}};
}

Json kill_json(const AuditResult::Kill& kill) {
  return {{"mutant", kill.mutant},
          {"scenario", kill.scenario},
          {"checks", kill.checks},
          {"verdict", name_of(kill.verdict)},
          {"message", kill.message}};
}

}  // namespace

std::string to_json(const RunResult& result) {
  return json_document(run_json(result));
}

std::string to_json(const AuditResult& result) {
  return json_document({{"schema", report_schema_version},
                        {"tunecheck_version", result.tunecheck_version},
                        {"started", result.started},
                        {"exit_status", result.exit_status()},
                        {"wall_ns", result.wall_ns},
                        {"surviving_mutants", result.surviving_mutants()},
                        {"unkilled_checks", result.unkilled_checks()},
                        {"false_claims", result.false_claims()},
                        {"quick", result.quick},
                        {"elsewhere", result.elsewhere},
                        {"mutants", json_list(result.mutants, mutant_json)},
                        {"checks", result.checks},
                        {"kills", json_list(result.kills, kill_json)},
                        {"reference", run_json(result.reference)}});
}

Result<void> write_json(const RunResult& result, const std::filesystem::path& file) {
  return write_file_atomically(file, to_json(result));
}

Result<void> write_json(const AuditResult& result, const std::filesystem::path& file) {
  return write_file_atomically(file, to_json(result));
}

}  // namespace tunecheck
