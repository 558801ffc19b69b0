#include "reports/gate_page.hpp"

#include <fmt/format.h>

#include "reports/gate_findings.hpp"
#include "reports/plain_text.hpp"
#include "reports/terminal_page.hpp"

namespace tunecheck {
namespace {

using namespace gate;

constexpr std::size_t indent = 14;

Style style_of(Answer answer) {
  switch (answer) {
    case Answer::pass:
    case Answer::improved:
      return Style::good;
    case Answer::inconclusive:
      return Style::warning;
    case Answer::regression:
    case Answer::invalid:
      break;
  }
  return Style::bad;
}

void list(Page& page, std::string_view label, const std::vector<std::string>& names) {
  for (const std::string& name : names)
    page.entry(label, indent, name, Style::warning);
}

void write_verdict(Page& page, const GateResult& result) {
  page.line(printable_line(verdict_text(result)),
            why_not_trusted(result).empty() ? style_of(result.answer) : Style::bad);
}

}  // namespace

std::string gate_page(const GateResult& result, const TerminalOptions& options) {
  Page page(options);
  if (options.detail == Detail::quiet) {
    write_verdict(page, result);
    return page.text();
  }
  page.entry("base", indent, side_text(result.base));
  page.entry("head", indent, side_text(result.head));
  page.blank();
  const std::vector<GateFinding> findings = findings_of(result);
  std::size_t passed = 0;
  for (const GateFinding& finding : findings)
    if (finding.answer == Answer::pass)
      ++passed;
    else
      page.entry(to_string(finding.answer), indent,
                 finding.name + (finding.reason.empty() ? "" : ": ") + finding.reason,
                 style_of(finding.answer));
  if (passed > 0)
    page.entry("pass", indent, fmt::format("{} of {}", passed, findings.size()), Style::good);
  list(page, "added", result.added);
  list(page, "removed", result.removed);
  for (const Renaming& renaming : result.renamed)
    page.entry("renamed?", indent, renaming.base + " to " + renaming.head, Style::warning);
  for (const NotMeasured& each : result.not_measured)
    page.entry("not measured", indent, each.name + ": " + each.reason, Style::faint);
  page.blank();
  page.line(
      printable_line(fmt::format("{}; delta {:g} %, tolerance {:g} %; seed {}; {}",
                                 seconds_text(result.wall_ns), 100 * result.settings.delta,
                                 100 * result.settings.tolerance, result.seed, result.pinning)),
      Style::faint);
  write_verdict(page, result);
  return page.text();
}

}  // namespace tunecheck
