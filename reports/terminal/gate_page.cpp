#include "reports/terminal/gate_page.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/plain_text.hpp"
#include "reports/summary/gate_findings.hpp"
#include "reports/summary/verdict.hpp"
#include "reports/terminal/answers.hpp"
#include "reports/terminal/terminal_page.hpp"

namespace tunecheck {
namespace {

constexpr std::size_t gate_indent = 14;

Style style_of(gate::Answer answer) {
  switch (answer) {
    case gate::Answer::pass:
    case gate::Answer::improved:
      return Style::good;
    case gate::Answer::inconclusive:
      return Style::warning;
    case gate::Answer::regression:
    case gate::Answer::invalid:
      break;
  }
  return Style::bad;
}

void list_names(Page& page, std::string_view label, const std::vector<std::string>& names) {
  for (const std::string& name : names)
    page.entry(label, gate_indent, name, Style::warning);
}

void write_verdict(Page& page, const gate::GateResult& result) {
  page.line(printable_line(verdict_of(result).text()),
            why_not_trusted(result).empty() ? style_of(result.answer) : Style::bad);
}

// How many of the benchmarks that passed did so by CPU time: ", 2 of them by CPU time", or "".
std::string by_cpu_time(const gate::GateResult& result) {
  const auto count = std::count_if(
      result.benchmarks.begin(), result.benchmarks.end(), [](const gate::BenchmarkResult& each) {
        return each.role == gate::Role::measured && each.finding.answer == gate::Answer::pass &&
               each.finding.decided_by == gate::TimeKind::cpu;
      });
  return count == 0 ? "" : fmt::format(", {} of them by CPU time", count);
}

}  // namespace

std::string gate_page(const gate::GateResult& result, const TerminalOptions& options) {
  Page page(options);
  if (options.detail == Detail::quiet) {
    write_verdict(page, result);
    return page.text();
  }
  page.entry("base", gate_indent, side_text(result.base));
  page.entry("head", gate_indent, side_text(result.head));
  page.blank();
  const std::vector<GateFinding> findings = findings_of(result);
  std::size_t passed = 0;
  for (const GateFinding& finding : findings)
    if (finding.answer == gate::Answer::pass)
      ++passed;
    else
      page.entry(to_string(finding.answer), gate_indent,
                 finding.name + (finding.reason.empty() ? "" : ": ") + finding.reason,
                 style_of(finding.answer));
  if (passed > 0)
    page.entry("pass", gate_indent,
               fmt::format("{} of {}{}", passed, findings.size(), by_cpu_time(result)),
               Style::good);
  list_names(page, "added", result.added);
  list_names(page, "removed", result.removed);
  for (const gate::Renaming& renaming : result.renamed)
    page.entry("renamed?", gate_indent, renaming.base + " to " + renaming.head, Style::warning);
  for (const gate::NotMeasured& each : result.not_measured)
    page.entry("not measured", gate_indent, each.name + ": " + each.reason, Style::faint);
  page.blank();
  page.line(
      printable_line(fmt::format("{}; delta {:g} %, tolerance {:g} %; seed {}; {}",
                                 seconds_text(result.wall_ns), 100 * result.settings.delta,
                                 100 * result.settings.tolerance, result.seed, result.pinning)),
      Style::faint);
  if (options.brief != nullptr && verdict_of(result).standing != Standing::good) page.blank();
  write_answers(page);
  if (!options.html.empty()) page.whole_entry("for a browser", 15, options.html.string());
  write_verdict(page, result);
  return page.text();
}

}  // namespace tunecheck
