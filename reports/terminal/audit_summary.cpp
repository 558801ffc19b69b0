#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/summary/verdict.hpp"
#include "reports/terminal/failures.hpp"
#include "reports/terminal/terminal.hpp"
#include "reports/terminal/terminal_page.hpp"

namespace tunecheck {
namespace {

constexpr std::size_t mutant_column = 34;

// "inputs.pristine 6, output.reference 4": the checks that caught the mutant, the busiest first.
std::string catchers(const AuditResult& result, const std::string& mutant) {
  std::map<std::string, int> scenarios_by_check;
  for (const AuditResult::Kill& kill : result.kills)
    if (kill.mutant == mutant)
      for (const std::string& check : kill.checks)
        ++scenarios_by_check[check];
  std::vector<std::pair<std::string, int>> ordered(scenarios_by_check.begin(),
                                                   scenarios_by_check.end());
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> texts;
  for (const auto& [check, scenarios] : ordered)
    texts.push_back(fmt::format("{} {}", check, scenarios));
  return fmt::format("{}", fmt::join(texts, ", "));
}

// The verdict on an adversary that no check names, if it is the one that was expected.
std::string verdicts(const AuditResult& result, const std::string& adversary) {
  for (const AuditResult::Kill& kill : result.kills)
    if (kill.mutant == adversary) return fmt::format("{}, as it must be", name_of(kill.verdict));
  return "";
}

void write_matrix(Page& page, const AuditResult& result,
                  const std::vector<std::string>& survivors) {
  page.entry("mutant", mutant_column, "caught by check, in how many scenarios", Style::strong);
  for (const AuditResult::Mutant& mutant : result.mutants) {
    const bool survives =
        std::find(survivors.begin(), survivors.end(), mutant.name) != survivors.end();
    const std::string caught = catchers(result, mutant.name);
    page.entry(mutant.name, mutant_column,
               survives         ? "SURVIVES"
               : caught.empty() ? verdicts(result, mutant.name)
                                : caught,
               survives ? Style::bad : Style::plain, 20);
  }
  page.blank();
}

void write_survivors(Page& page, const AuditResult& result,
                     const std::vector<std::string>& survivors) {
  if (survivors.empty()) return;
  page.line("Mutants that survive, so that a tuner with such a bug would pass:", Style::bad);
  for (const std::string& name : survivors) {
    const auto mutant =
        std::find_if(result.mutants.begin(), result.mutants.end(),
                     [&](const AuditResult::Mutant& one) { return one.name == name; });
    page.entry("  " + name, mutant_column, mutant->summary);
    const bool claimed =
        std::any_of(result.kills.begin(), result.kills.end(),
                    [&](const AuditResult::Kill& kill) { return kill.mutant == name; });
    if (!claimed)
      page.entry("", mutant_column,
                 result.is_foreign() ? "(its adapter names no scenario that catches it)"
                                     : "(no scenario names it in \"catches\")");
  }
  page.blank();
}

void write_unkilled(Page& page, const std::vector<std::string>& unkilled) {
  if (unkilled.empty()) return;
  page.line("Checks that no mutant makes fail, so it is not known whether they can:", Style::bad);
  for (const std::string& check : unkilled)
    page.entry("  " + check, mutant_column, "");
  page.blank();
}

void write_false_claims(Page& page, const AuditResult& result) {
  if (result.false_claims().empty()) return;
  page.line(result.is_foreign()
                ? "Scenarios that must catch a mutant but do not notice it as they must:"
                : "Scenarios that name a mutant in \"catches\" but do not notice it:",
            Style::bad);
  for (const AuditResult::Kill& kill : result.kills)
    if (kill.is_false_claim())
      page.entry("  " + kill.scenario, mutant_column,
                 fmt::format("{}: {}{}{}{}", kill.mutant, name_of(kill.verdict),
                             kill.message.empty() ? "" : ", ", kill.message,
                             kill.expects.empty() ? "" : "; expected " + kill.expects));
  page.blank();
}

void write_elsewhere(Page& page, const AuditResult& result) {
  if (result.elsewhere.empty()) return;
  page.line("Mutants left out here, because only scenarios for another kind of device name them:",
            Style::strong);
  page.entry("", 2, fmt::format("{}", fmt::join(result.elsewhere, ", ")));
  page.blank();
}

void write_reference(Page& page, const AuditResult& result) {
  // Where it has run nothing, that has been said, and is not its fault.
  if (result.true_tuner_passes() || result.reference.scenarios.empty()) return;
  page.line("The true tuner, without any planted bug, does not pass:", Style::bad);
  page.blank();
  write_failures(page, result.reference);
}

}  // namespace

std::string audit_summary(const AuditResult& result, const TerminalOptions& options) {
  Page page(options);
  const std::vector<std::string> survivors = result.surviving_mutants();
  const std::vector<std::string> unkilled = result.unkilled_checks();
  // Where some mutants were selected, checks are not judged.
  const std::string checks =
      result.checks.empty() ? "" : counted(result.checks.size(), "check") + " with ";
  page.entry(
      "", 0,
      fmt::format("tunecheck {} audited {}{} in {} on {}", result.tunecheck_version, checks,
                  audited_text(result), counted(result.reference.scenarios.size(), "scenario"),
                  result.reference.backend));
  page.blank();
  write_matrix(page, result, survivors);
  write_survivors(page, result, survivors);
  write_unkilled(page, unkilled);
  write_false_claims(page, result);
  write_elsewhere(page, result);
  write_reference(page, result);
  if (!options.html.empty()) page.whole_entry("for a browser", 15, options.html.string());
  page.line(fmt::format("{}; {}; {}", verdict_of(result).text(), seconds_text(result.wall_ns),
                        (options.out / "audit.json").string()),
            result.exit_status() == 0 ? Style::good : Style::bad);
  return page.text();
}

}  // namespace tunecheck
