#include "reports/markdown/run_markdown.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "core/text.hpp"
#include "reports/markdown/markdown_text.hpp"
#include "reports/summary/causes.hpp"
#include "reports/summary/changes.hpp"
#include "reports/summary/failures.hpp"
#include "reports/summary/verdict.hpp"

namespace tunecheck {
namespace {

constexpr std::size_t most_names = markdown_rows;
constexpr std::size_t most_checks = 10;  // of one scenario
constexpr std::size_t most_listed = 6;   // names of one kind of change

using Scenarios = std::vector<const ScenarioResult*>;

// What failed in the base as well is old; without a base nobody knows.
std::set<const ScenarioResult*> new_ones(const RunResult& run, const RunResult* base) {
  if (base == nullptr) return {};
  const Changes changes = changes_between(*base, run);
  return {changes.broken.begin(), changes.broken.end()};
}

std::string cause_row(const Cause& cause, bool has_base,
                      const std::set<const ScenarioResult*>& is_new) {
  const auto fresh =
      std::count_if(cause.scenarios.begin(), cause.scenarios.end(),
                    [&](const ScenarioResult* scenario) { return is_new.contains(scenario); });
  const ScenarioResult& clearest = *cause.scenarios.front();
  const CheckResult* const check = evidence_of(cause, clearest);
  return fmt::format("| {} | {} | {}{} | {} | {} |\n",
                     cause.check.empty() ? "no check says why" : markdown_code(cause.check, 100),
                     cause.scenarios.size(), has_base ? fmt::format("{} | ", fresh) : "",
                     markdown_text(cause.meaning, 300), markdown_code(clearest.name, 200),
                     check == nullptr ? "" : markdown_text(check->observed, 300));
}

std::string names_text(std::string_view title, const Scenarios& scenarios) {
  if (scenarios.empty()) return {};
  std::string text = fmt::format("**{}** ({}): ", title, scenarios.size());
  for (std::size_t i = 0; i < std::min(scenarios.size(), most_listed); ++i)
    text += (i == 0 ? "" : ", ") + markdown_code(scenarios[i]->name, 200);
  if (scenarios.size() > most_listed)
    text += fmt::format(", and {} more", scenarios.size() - most_listed);
  return text + "\n\n";
}

std::string gone_text(const std::vector<std::string>& names) {
  if (names.empty()) return {};
  std::string text = fmt::format("**Only in the base** ({}): ", names.size());
  for (std::size_t i = 0; i < std::min(names.size(), most_listed); ++i)
    text += (i == 0 ? "" : ", ") + markdown_code(names[i], 200);
  if (names.size() > most_listed) text += fmt::format(", and {} more", names.size() - most_listed);
  return text + "\n\n";
}

// What fails now is in the table of causes.
std::string changes_text(const RunResult& run, const RunResult* base) {
  if (base == nullptr) return {};
  const Changes changes = changes_between(*base, run);
  const std::string text = names_text("New", changes.broken) +
                           names_text("Fails, and not asked in the base", changes.unasked) +
                           names_text("No longer fails", changes.mended) +
                           names_text("Different verdict", changes.others) +
                           gone_text(changes.gone);
  return text.empty() ? "No verdict changed since the base.\n\n" : text;
}

std::string failure_text(const ScenarioResult& scenario, bool is_new) {
  std::string text =
      fmt::format("{}:{}, kernel {}\n\n> {}\n\n", markdown_code(scenario.file, 300), scenario.line,
                  markdown_code(scenario.kernel, 100), markdown_text(scenario.because));
  if (!scenario.message.empty()) text += markdown_text(scenario.message) + "\n\n";
  const std::vector<const CheckResult*> checks = causes_first(scenario);
  if (!checks.empty()) text += "| check | expected | observed | evidence |\n|---|---|---|---|\n";
  for (std::size_t i = 0; i < std::min(checks.size(), most_checks); ++i) {
    const CheckResult& check = *checks[i];
    text += fmt::format("| {} | {} | {} | {} |\n", markdown_code(check.check, 100),
                        markdown_text(check.expected), markdown_text(check.observed),
                        check.evidence.empty() ? "" : markdown_code(check.evidence.front(), 300));
  }
  if (checks.size() > most_checks)
    text += fmt::format("\n{} failed as well.\n",
                        counted(checks.size() - most_checks, "further check"));
  text += fmt::format("\nRepeat it with {}\n", markdown_code(scenario.repro));
  std::string summary = fmt::format("{}{} {}", is_new ? "new " : "", name_of(scenario.verdict),
                                    markdown_code(scenario.name, 200));
  if (!checks.empty()) summary += ": " + markdown_code(checks.front()->check, 100);
  return markdown_folded(summary, text);
}

std::string families_text(const RunResult& run) {
  std::map<std::string, std::map<Verdict, int>> families;
  for (const ScenarioResult& scenario : run.scenarios)
    ++families[scenario.family][scenario.verdict];
  std::string table =
      "| family | pass | fail | error | known | unsupported |\n|---|---|---|---|---|---|\n";
  for (auto& [family, counts] : families)
    table += fmt::format("| {} | {} | {} | {} | {} | {} |\n", markdown_text(family, 100),
                         counts[Verdict::pass], counts[Verdict::fail], counts[Verdict::error],
                         counts[Verdict::known], counts[Verdict::unsupported]);
  return markdown_folded(
      families.size() == 1 ? "1 family" : fmt::format("{} families", families.size()), table);
}

std::string known_text(const RunResult& run) {
  const std::vector<KnownCause> causes = known_causes_of(run);
  if (causes.empty()) return {};
  std::string rows;
  for (std::size_t i = 0; i < std::min(causes.size(), most_names); ++i) {
    const KnownFailure& mark = *causes[i].scenarios.front()->known;
    rows += fmt::format("| {} | {}{} | {} | {} |\n", markdown_text(causes[i].reason),
                        markdown_code(causes[i].scenarios.front()->name, 200),
                        causes[i].scenarios.size() == 1
                            ? ""
                            : fmt::format(" and {} more", causes[i].scenarios.size() - 1),
                        date_text(mark.until),
                        causes[i].link.empty() ? "" : markdown_code(causes[i].link, 300));
  }
  if (causes.size() > most_names)
    rows += fmt::format("\nand {} more\n", causes.size() - most_names);
  const auto count = static_cast<std::size_t>(run.count(Verdict::known));
  return markdown_folded(
      fmt::format("{} of {}", counted(count, "known failure"), counted(causes.size(), "reason")),
      "| reason | scenarios | until | link |\n|---|---|---|---|\n" + rows);
}

std::string not_asked_text(const RunResult& run) {
  const auto not_asked = run.not_asked();
  if (not_asked.empty()) return {};
  std::string rows;
  std::size_t listed = 0;
  for (const auto& [check, scenarios] : not_asked)
    if (++listed <= most_names)
      rows += fmt::format("| {} | {} | {} |\n", markdown_text(check.first),
                          markdown_text(check.second), scenarios);
  return markdown_folded(counted(not_asked.size(), "check") + " not asked",
                         "| check | the adapter lacks | scenarios |\n|---|---|---|\n" + rows);
}

// What the run did not come to: the number that the verdict names.
std::string pending_text(const RunResult& run) {
  // The last of them stands for those in parts that are not given.
  const std::size_t not_run = run.pending.size() - (run.scenarios_not_given > 0 ? 1 : 0);
  if (not_run == 0) return {};
  std::string names;
  for (std::size_t i = 0; i < std::min(not_run, most_names); ++i)
    names += fmt::format("{}{}", i == 0 ? "" : ", ", markdown_code(run.pending[i], 200));
  if (not_run > most_names) names += fmt::format(", and {} more", not_run - most_names);
  return markdown_folded(
      counted(not_run, "scenario") + " not run, because the run was ended before", names + "\n");
}

// What was left out or cannot be asked here, and why.
std::string silent_text(const RunResult& run) {
  std::map<std::string, std::size_t> reasons;
  for (const ScenarioResult& scenario : run.scenarios)
    if (scenario.verdict == Verdict::unsupported) ++reasons[scenario.message];
  for (const LeftOut& scenario : run.left_out)
    ++reasons[scenario.reason];
  if (run.scenarios_not_given > 0)
    reasons["in a part that is not given"] += static_cast<std::size_t>(run.scenarios_not_given);
  std::string rows;
  std::size_t count = 0, listed = 0;
  for (const auto& [reason, scenarios] : reasons) {
    count += scenarios;
    if (++listed <= most_names)
      rows += fmt::format("| {} | {} |\n", markdown_text(reason), scenarios);
  }
  if (count == 0) return {};
  return markdown_folded(counted(count, "scenario") + " left out",
                         "| reason | scenarios |\n|---|---|\n" + rows);
}

}  // namespace

void add_run_causes(const RunResult& run, const RunResult* base, std::size_t most_causes,
                    MarkdownBlocks& blocks) {
  const std::vector<Cause> causes = causes_of(run);
  if (causes.empty() && base == nullptr) return;
  const std::set<const ScenarioResult*> is_new = new_ones(run, base);
  const bool has_base = base != nullptr;
  const std::string title = fmt::format("### {}\n\n", markdown_text(subject_of(run), 200));
  std::vector<std::string> rows;
  for (const Cause& cause : causes)
    rows.push_back(cause_row(cause, has_base, is_new));
  if (rows.empty()) blocks.add(title);
  blocks.add_rows(
      fmt::format("{}| cause | failures | {}what it means | clearest in | observed there |\n"
                  "|---|---:|{}---|---|---|\n",
                  title, has_base ? "new | " : "", has_base ? "---:|" : ""),
      rows, most_causes);
  blocks.add(changes_text(run, base));
}

void add_run_failures(const RunResult& run, const RunResult* base, MarkdownBlocks& blocks) {
  Scenarios failures = worst_first(run);
  if (failures.empty()) return;
  const std::set<const ScenarioResult*> is_new = new_ones(run, base);
  std::stable_partition(failures.begin(), failures.end(),
                        [&](const ScenarioResult* scenario) { return is_new.contains(scenario); });
  std::vector<std::string> texts;
  for (const ScenarioResult* const scenario : failures)
    texts.push_back(failure_text(*scenario, is_new.contains(scenario)));
  blocks.add_folded(fmt::format("{} of {}", counted(failures.size(), "failure"),
                                markdown_text(subject_of(run), 200)),
                    texts);
}

void add_run_details(const RunResult& run, bool is_alone, MarkdownBlocks& blocks) {
  const std::string sections = known_text(run) + pending_text(run) + silent_text(run) +
                               not_asked_text(run) + families_text(run);
  blocks.add((is_alone ? "" : "#### " + markdown_text(subject_of(run), 200) + "\n\n") + sections);
}

}  // namespace tunecheck
