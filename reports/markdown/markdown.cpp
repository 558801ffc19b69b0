#include "reports/markdown/markdown.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "reports/markdown/gate_markdown.hpp"
#include "reports/markdown/markdown_blocks.hpp"
#include "reports/markdown/markdown_text.hpp"
#include "reports/markdown/watch_markdown.hpp"
#include "reports/summary/changes.hpp"
#include "reports/summary/failures.hpp"
#include "reports/summary/verdict.hpp"
#include "reports/terminal/terminal_page.hpp"

namespace tunecheck {
namespace {

constexpr std::size_t most_names = markdown_rows;
constexpr std::size_t most_checks = 10;  // of one scenario

std::string head(const RunResult& run) {
  const std::string reason = why_not_trusted(run);
  const std::string_view sign = !reason.empty()          ? ":warning:"
                                : run.exit_status() == 0 ? ":white_check_mark:"
                                                         : ":x:";
  return fmt::format("## {} {}: {}\n\ntunecheck {}, {}, seed {}, {}\n\n", sign,
                     markdown_text(subject_of(run), 200),
                     markdown_text(verdict_of(run).text(), 400),
                     markdown_text(run.tunecheck_version, 40), markdown_text(run.started, 40),
                     run.seed, seconds_text(run.wall_ns));
}

template <class Items, class Text>
std::string list_of(std::string_view title, const Items& items, const Text& text) {
  if (items.empty()) return {};
  std::string list = fmt::format("**{}** ({})\n\n", title, items.size());
  for (std::size_t i = 0; i < std::min(items.size(), most_names); ++i)
    list += "- " + text(items[i]) + '\n';
  if (items.size() > most_names) list += fmt::format("- and {} more\n", items.size() - most_names);
  return list + '\n';
}

std::string name_text(const ScenarioResult* scenario) {
  return fmt::format("{} {}", markdown_code(scenario->name, 200), name_of(scenario->verdict));
}

std::string changes_text(const Changes& changes, const RunResult& base) {
  const auto code = [](const std::string& name) { return markdown_code(name, 200); };
  const std::string lists = list_of("Fails now", changes.broken, name_text) +
                            list_of("No longer fails", changes.mended, name_text) +
                            list_of("Different verdict", changes.others, name_text) +
                            list_of("New", changes.added, code) +
                            list_of("Gone", changes.gone, code);
  const std::string title =
      fmt::format("### Compared with {} of {}\n\n", markdown_text(subject_of(base), 200),
                  markdown_text(base.started, 40));
  return title + (lists.empty() ? "No verdict changed.\n\n" : lists);
}

std::string failure_text(const ScenarioResult& scenario, bool open) {
  std::string text =
      fmt::format("{}:{}, kernel {}\n\n> {}\n\n", markdown_code(scenario.file, 300), scenario.line,
                  markdown_code(scenario.kernel, 100), markdown_text(scenario.because));
  if (!scenario.message.empty()) text += markdown_text(scenario.message) + "\n\n";
  const std::vector<const CheckResult*> checks = bad_checks(scenario);
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
  std::string summary =
      fmt::format("{} {}", name_of(scenario.verdict), markdown_code(scenario.name, 200));
  if (!checks.empty()) summary += ": " + markdown_code(checks.front()->check, 100);
  return markdown_folded(summary, text, open);
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
  std::string rows;
  std::size_t count = 0;
  for (const ScenarioResult& scenario : run.scenarios)
    if (scenario.verdict == Verdict::known && ++count <= most_names)
      rows += fmt::format("| {} | {} | {} | {} |\n", markdown_code(scenario.name, 200),
                          markdown_text(scenario.known->reason), date_text(scenario.known->until),
                          markdown_text(scenario.known->link, 300));
  if (count == 0) return {};
  if (count > most_names) rows += fmt::format("\nand {} more\n", count - most_names);
  return markdown_folded(counted(count, "known failure"),
                         "| scenario | reason | until | link |\n|---|---|---|---|\n" + rows);
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

// Why something says nothing, and of how many scenarios.
std::string silent_text(const RunResult& run) {
  std::map<std::string, std::size_t> reasons;
  for (const ScenarioResult& scenario : run.scenarios)
    if (scenario.verdict == Verdict::unsupported) ++reasons[scenario.message];
  for (const LeftOut& scenario : run.left_out)
    ++reasons[scenario.reason];
  if (!run.pending.empty()) reasons["the run was ended before"] += run.pending.size();
  std::string rows;
  std::size_t count = 0, listed = 0;
  for (const auto& [reason, scenarios] : reasons) {
    count += scenarios;
    if (++listed <= most_names)
      rows += fmt::format("| {} | {} |\n", markdown_text(reason), scenarios);
  }
  if (count == 0) return {};
  return markdown_folded(counted(count, "scenario") + " not run",
                         "| reason | scenarios |\n|---|---|\n" + rows);
}

struct Compared {
  const RunResult* run = nullptr;
  const RunResult* base = nullptr;
  Changes changes;

  [[nodiscard]] bool is_new(const ScenarioResult* scenario) const {
    return base == nullptr || std::find(changes.broken.begin(), changes.broken.end(), scenario) !=
                                  changes.broken.end();
  }
};

}  // namespace

std::string to_markdown(std::span<const RunResult> runs, std::span<const RunResult> base,
                        std::size_t most, std::span<const GateSource> gates,
                        std::span<const WatchSource> watches) {
  MarkdownBlocks blocks(most);
  std::vector<Compared> all;
  for (const RunResult& run : runs) {
    Compared& compared = all.emplace_back();
    compared.run = &run;
    compared.base = base_of(run, base);
    if (compared.base != nullptr) compared.changes = changes_between(*compared.base, run);
  }
  // The most important of all runs first: what is left out is what comes last.
  for (const Compared& compared : all) {
    blocks.add(head(*compared.run));
    if (compared.base != nullptr) blocks.add(changes_text(compared.changes, *compared.base));
  }
  for (const GateSource& gate : gates)
    add_gate_verdict(gate.content, blocks);
  for (const WatchSource& watch : watches)
    add_watch(watch.content, blocks);
  for (const bool is_new : {true, false})
    for (const Compared& compared : all)
      for (const ScenarioResult* const scenario : worst_first(*compared.run))
        if (compared.is_new(scenario) == is_new) blocks.add(failure_text(*scenario, is_new));
  for (const GateSource& gate : gates)
    add_gate_details(gate.content, blocks);
  for (const WatchSource& watch : watches)
    add_watch_details(watch.content, blocks);
  for (const Compared& compared : all) {
    const std::string sections = known_text(*compared.run) + silent_text(*compared.run) +
                                 not_asked_text(*compared.run) + families_text(*compared.run);
    blocks.add(
        (all.size() == 1 ? "" : "#### " + markdown_text(subject_of(*compared.run), 200) + "\n\n") +
        sections);
  }
  return blocks.text();
}

}  // namespace tunecheck
