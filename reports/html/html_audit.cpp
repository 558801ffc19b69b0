// html_audit() of html_parts.hpp.
#include "reports/html/html_parts.hpp"
#include "reports/stored/json_document.hpp"

namespace tunecheck {
namespace {

HtmlJson html_mutant(const AuditResult::Mutant& mutant) {
  return {html_text(mutant.name, 200), html_text(mutant.summary)};
}

}  // namespace

HtmlJson html_audit(const AuditResult& audit, const std::string& file) {
  HtmlNames mutants, checks;
  for (const AuditResult::Mutant& mutant : audit.mutants)
    (void)mutants.place_of(mutant.name);
  for (const std::string& check : audit.checks)
    (void)checks.place_of(check);
  HtmlJson kills = HtmlJson::array();
  for (const AuditResult::Kill& kill : audit.kills) {
    HtmlJson failed = HtmlJson::array();
    for (const std::string& check : kill.checks)
      failed.push_back(checks.place_of(check));
    kills.push_back({mutants.place_of(kill.mutant), html_text(kill.scenario, 200),
                     std::move(failed), name_of(kill.verdict), html_text(kill.message)});
  }
  return {{"file", html_text(file)},
          {"started", html_text(audit.started, 200)},
          {"exit_status", audit.exit_status()},
          {"wall_ns", audit.wall_ns},
          {"quick", audit.quick},
          {"surviving_mutants", audit.surviving_mutants()},
          {"unkilled_checks", audit.unkilled_checks()},
          {"false_claims", audit.false_claims()},
          {"elsewhere", audit.elsewhere},
          {"mutants", json_list(audit.mutants, html_mutant)},
          {"checks", checks.names()},
          {"kills", std::move(kills)}};
}

}  // namespace tunecheck
