#include "reports/markdown/gate_markdown.hpp"

#include <cmath>

#include <fmt/format.h>

#include "reports/markdown/markdown_text.hpp"
#include "reports/summary/gate_findings.hpp"
#include "reports/summary/quantity.hpp"
#include "reports/summary/verdict.hpp"
#include "reports/terminal/terminal_page.hpp"

namespace tunecheck {
namespace {

constexpr std::string_view columns =
    "| what | change | from | to | interval | pairs | would show | why |\n"
    "|---|---:|---:|---:|---|---:|---:|---|\n";

std::string_view sign_of(const gate::GateResult& session) {
  if (!why_not_trusted(session).empty()) return ":warning:";
  switch (session.answer) {
    case gate::Answer::pass:
    case gate::Answer::improved:
      return ":white_check_mark:";
    case gate::Answer::regression:
      return ":x:";
    case gate::Answer::inconclusive:
    case gate::Answer::invalid:
      break;
  }
  return ":warning:";
}

// What a slowdown must be for the session to have reported it.
std::string detectable_text(double detectable) {
  return std::isfinite(detectable) ? fmt::format("{:.1f} %", 100 * detectable) : "not known";
}

std::string row(const GateFinding& finding, const gate::Settings& settings) {
  if (finding.benchmark == nullptr)
    return fmt::format("| {} | | | | | | | {} |\n", markdown_code(finding.name, 300),
                       markdown_text(finding.reason, 400));
  const gate::Finding& found = finding.benchmark->finding;
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n",
                     markdown_code(finding.name, 300), change_text(found.change),
                     change_text(found.at_least), change_text(found.at_most),
                     place_of_interval(*finding.benchmark, settings),
                     found.screen_pairs + found.confirmation_pairs,
                     detectable_text(found.detectable), markdown_text(finding.reason, 400));
}

std::vector<std::string> rows_of(const gate::GateResult& session, gate::Answer answer) {
  std::vector<std::string> rows;
  for (const GateFinding& finding : findings_of(session))
    if (finding.answer == answer) rows.push_back(row(finding, session.settings));
  return rows;
}

void add_answer(const gate::GateResult& session, gate::Answer answer, std::string_view title,
                MarkdownBlocks& blocks) {
  const std::vector<std::string> rows = rows_of(session, answer);
  blocks.add_rows(fmt::format("**{}** ({})\n\n{}", title, rows.size(), columns), rows);
}

void add_names(std::string_view title, const std::vector<std::string>& names,
               MarkdownBlocks& blocks) {
  std::vector<std::string> rows;
  for (const std::string& name : names)
    rows.push_back("- " + markdown_code(name, 300) + '\n');
  blocks.add_rows(fmt::format("**{}** ({})\n\n", title, rows.size()), rows);
}

void add_winner_changes(const gate::GateResult& session, MarkdownBlocks& blocks) {
  std::vector<std::string> rows;
  for (const gate::WinnerChange& change : session.winner_changes)
    rows.push_back(fmt::format(
        "| {} | {} | {} | {} |\n", markdown_code(change.kernel + "/" + change.size, 200),
        markdown_code(change.base, 300), markdown_code(change.head, 300),
        change.benchmark.empty() ? "not known: " + markdown_text(change.reason, 400)
                                 : markdown_code(change.benchmark, 300)));
  blocks.add_rows(fmt::format("**Winners that changed** ({})\n\n| kernel | base | head | effect on "
                              "the cost |\n|---|---|---|---|\n",
                              rows.size()),
                  rows);
}

std::string canaries_text(const gate::GateResult& session) {
  std::string rows;
  for (const gate::BenchmarkResult& benchmark : session.benchmarks)
    if (benchmark.role != gate::Role::measured)
      rows += fmt::format(
          "| {} | {} | {} | {} | {} |\n", markdown_code(benchmark.subject.name, 200),
          benchmark.role == gate::Role::same
              ? std::string("the same build twice")
              : fmt::format("slowed down by {:g} %", 100 * session.settings.planted),
          benchmark.is_settled ? to_string(benchmark.finding.answer) : "not settled",
          change_text(benchmark.finding.change), markdown_text(benchmark.finding.reason, 400));
  if (rows.empty()) return {};
  return markdown_folded(
      "Canaries",
      "| canary | what it is | answer | change | why |\n|---|---|---|---:|---|\n" + rows,
      session.answer == gate::Answer::invalid);
}

void add_folded(const std::string& summary, const std::string& head,
                const std::vector<std::string>& rows, MarkdownBlocks& blocks) {
  if (rows.empty()) return;
  std::string text = head;
  for (std::size_t i = 0; i < std::min(rows.size(), markdown_rows); ++i)
    text += rows[i];
  if (rows.size() > markdown_rows)
    text += fmt::format("\nand {} more\n", rows.size() - markdown_rows);
  blocks.add(markdown_folded(summary, text));
}

std::string renaming_text(const gate::Renaming& renaming) {
  return renaming.base + " to " + renaming.head;
}

}  // namespace

void add_gate_verdict(const gate::GateResult& session, MarkdownBlocks& blocks) {
  const gate::Settings& settings = session.settings;
  blocks.add(fmt::format(
      "## {} {}: {}\n\ntunecheck {}, {}, seed {}, {}; {}. Slowdowns up to {:g} % (delta) are "
      "ignored; a result that may be {:g} % slower (tolerance) does not pass.\n\n",
      sign_of(session), markdown_text(subject_of(session), 300),
      markdown_text(verdict_of(session).text(), 400), markdown_text(session.tunecheck_version, 40),
      markdown_text(session.started, 40), session.seed, seconds_text(session.wall_ns),
      markdown_text(session.pinning, 200), 100 * settings.delta, 100 * settings.tolerance));
  add_answer(session, gate::Answer::invalid, "Invalid", blocks);
  add_answer(session, gate::Answer::regression, "Regression", blocks);
  add_answer(session, gate::Answer::inconclusive, "Inconclusive", blocks);
}

void add_gate_details(const gate::GateResult& session, MarkdownBlocks& blocks) {
  add_answer(session, gate::Answer::improved, "Improved", blocks);
  add_winner_changes(session, blocks);
  add_names("Added", session.added, blocks);
  add_names("Removed", session.removed, blocks);
  std::vector<std::string> renamed;
  for (const gate::Renaming& renaming : session.renamed)
    renamed.push_back(renaming_text(renaming));
  add_names("Perhaps renamed", renamed, blocks);
  blocks.add(canaries_text(session));
  std::vector<std::string> not_measured;
  for (const gate::NotMeasured& each : session.not_measured)
    not_measured.push_back(fmt::format("| {} | {} |\n", markdown_code(each.name, 300),
                                       markdown_text(each.reason, 400)));
  add_folded(fmt::format("{} not measured", not_measured.size()), "| what | why |\n|---|---|\n",
             not_measured, blocks);
  const std::vector<std::string> passed = rows_of(session, gate::Answer::pass);
  add_folded(fmt::format("{} passed", passed.size()), std::string(columns), passed, blocks);
}

}  // namespace tunecheck
