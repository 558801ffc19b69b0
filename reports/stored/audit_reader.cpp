#include "reports/stored/audit_reader.hpp"

#include "reports/stored/result_reader.hpp"

namespace tunecheck {

AuditResult audit_from(const JsonValue& json) {
  AuditResult audit;
  audit.tunecheck_version = json.field("tunecheck_version").text();
  audit.started = json.field("started").text();
  audit.wall_ns = json.field("wall_ns").count();
  audit.quick = json.field("quick").exists() && json.field("quick").truth();
  audit.elsewhere = json.field("elsewhere").texts_or_none();
  audit.checks = json.field("checks").texts_or_none();
  for (const JsonValue& mutant : json.field("mutants").items())
    audit.mutants.push_back({mutant.field("name").text(), mutant.field("summary").text()});
  for (const JsonValue& kill : json.field("kills").items())
    audit.kills.push_back({kill.field("mutant").text(), kill.field("scenario").text(),
                           kill.field("checks").texts_or_none(), kill.field("verdict").verdict(),
                           kill.field("message").text()});
  const JsonValue reference = json.field("reference");
  std::vector<ScenarioResult> scenarios;
  for (const JsonValue& scenario : reference.field("scenarios").items())
    scenarios.push_back(scenario_from(scenario));
  audit.reference = run_from(reference, std::move(scenarios));
  return audit;
}

}  // namespace tunecheck
