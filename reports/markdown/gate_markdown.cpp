#include "reports/markdown/gate_markdown.hpp"

#include <cmath>

#include <fmt/format.h>

#include "reports/markdown/markdown_text.hpp"
#include "reports/summary/gate_findings.hpp"
#include "reports/summary/quantity.hpp"
#include "reports/terminal/terminal_page.hpp"

namespace tunecheck {
namespace {

constexpr std::string_view columns =
    "| | what | base | head | change | why |\n|---|---|---:|---:|---|---|\n";

// What a slowdown must be for the session to have reported it.
std::string detectable_text(double detectable) {
  return std::isfinite(detectable) ? fmt::format("{:.1f} %", 100 * detectable) : "not known";
}

std::string quantity_or_none(double value, const std::string& unit) {
  return std::isfinite(value) ? markdown_text(quantity_text(value, unit), 60) : "";
}

// "+9.8 % [+8.8 %, +10.8 %], above delta"; an end that is open has an arrow.
std::string interval_text(const gate::BenchmarkResult& benchmark, const gate::Settings& settings) {
  const gate::Finding& found = benchmark.finding;
  if (!std::isfinite(found.change)) return {};
  const auto end = [](double bound, std::string_view open) {
    return std::isfinite(bound) ? change_text(bound) : std::string(open);
  };
  const std::string_view place = place_of_interval(benchmark, settings);
  return fmt::format("{} &#91;{}, {}&#93;{}{}", change_text(found.change), end(found.at_least, "←"),
                     end(found.at_most, "→"), place.empty() ? "" : ", ", place);
}

std::string row(const GateFinding& finding, const gate::Settings& settings) {
  const std::string begin =
      fmt::format("| {} | {} | ", to_string(finding.answer), markdown_code(finding.name, 300));
  const std::string why = markdown_text(finding.reason, 400);
  if (finding.count != nullptr) {
    const std::string base = counts_text(finding.count->base);
    const std::string head = counts_text(finding.count->head);
    const std::string unit = markdown_text(finding.count->subject.unit, 60);
    return begin + fmt::format("{} | {} | {} -> {} {} | {} |\n", base, head, base, head, unit, why);
  }
  if (finding.benchmark == nullptr) return begin + fmt::format("| | | {} |\n", why);
  const gate::BenchmarkResult& benchmark = *finding.benchmark;
  const std::string& unit = benchmark.subject.unit;
  return begin + fmt::format("{} | {} | {} | {} |\n",
                             quantity_or_none(median_of(benchmark, gate::Side::base), unit),
                             quantity_or_none(median_of(benchmark, gate::Side::head), unit),
                             interval_text(benchmark, settings), why);
}

std::vector<std::string> rows_of(const gate::GateResult& session, gate::Answer answer) {
  std::vector<std::string> rows;
  for (const GateFinding& finding : findings_of(session))
    if (finding.answer == answer) rows.push_back(row(finding, session.settings));
  return rows;
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
      rows +=
          fmt::format("| {} | {} | {} | {} | {} |\n", markdown_code(benchmark.subject.name, 200),
                      benchmark.role == gate::Role::same
                          ? std::string("the same build twice")
                          : fmt::format("slowed down by {:g} %", 100 * session.settings.planted),
                      benchmark.is_settled ? to_string(benchmark.finding.answer) : "not settled",
                      change_text(benchmark.finding.change),
                      markdown_text(with_factors(benchmark.finding.reason), 400));
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

std::string settings_text(const gate::GateResult& session) {
  const gate::Settings& settings = session.settings;
  return markdown_folded(
      "About the session",
      fmt::format(
          "tunecheck {}, {}, seed {}, {}; {}. Slowdowns up to {:g} % (delta) are ignored; a "
          "result that may be {:g} % slower (tolerance) does not pass. In every benchmark, a "
          "slowdown of {} would have been found.\n",
          markdown_text(session.tunecheck_version, 40), markdown_text(session.started, 40),
          session.seed, seconds_text(session.wall_ns), markdown_text(session.pinning, 200),
          100 * settings.delta, 100 * settings.tolerance, detectable_text(session.detectable())));
}

// All that did not simply pass, the gravest first.
std::vector<std::string> rows_of_note(const gate::GateResult& session) {
  std::vector<std::string> rows;
  for (const gate::Answer answer : {gate::Answer::invalid, gate::Answer::regression,
                                    gate::Answer::inconclusive, gate::Answer::improved})
    for (const std::string& each : rows_of(session, answer))
      rows.push_back(each);
  return rows;
}

}  // namespace

void add_gate_verdict(const gate::GateResult& session, std::size_t most, MarkdownBlocks& blocks) {
  const std::vector<std::string> rows = rows_of_note(session);
  const std::string title = fmt::format("### {}\n\n", markdown_text(subject_of(session), 300));
  blocks.add_rows(title + std::string(columns), rows, most);
}

void add_gate_details(const gate::GateResult& session, std::size_t most, MarkdownBlocks& blocks) {
  if (const std::vector<std::string> rows = rows_of_note(session); rows.size() > most)
    blocks.add_folded(fmt::format("All {} that did not pass or are better", rows.size()),
                      std::string(columns), rows);
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
  blocks.add(settings_text(session));
}

}  // namespace tunecheck
