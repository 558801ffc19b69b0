#include "reports/gate_page.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

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

// One line of the page, whatever it is about.
struct Line {
  Answer answer;
  std::string text;
};

std::string with_reason(const std::string& name, const std::string& reason) {
  return reason.empty() ? name : name + ": " + reason;
}

// A commit that the command line named needs no repetition.
std::string with_commit(const SideResult& side) {
  return side.commit.empty() || side.commit == side.given ? side.given
                                                          : side.given + ", commit " + side.commit;
}

// A change of a winner is told by its own benchmark.
std::string name_in(const GateResult& result, const BenchmarkResult& benchmark) {
  for (const WinnerChange& change : result.winner_changes)
    if (!change.benchmark.empty() && change.benchmark == benchmark.subject.name)
      return fmt::format("{}, {} instead of {}", benchmark.subject.name, change.head, change.base);
  return benchmark.subject.name;
}

// Worst first; canaries speak through the session's reason.
std::vector<Line> lines_of(const GateResult& result) {
  std::vector<Line> lines;
  for (const BenchmarkResult& benchmark : result.benchmarks)
    if (benchmark.role == Role::measured)
      lines.push_back({benchmark.finding.answer,
                       with_reason(name_in(result, benchmark),
                                   benchmark.is_settled ? benchmark.finding.reason
                                                        : "the session did not come to its end")});
  for (const CountResult& count : result.counts)
    lines.push_back(
        {count.finding.answer,
         with_reason(count.subject.name, count.finding.reason + " (" + count.subject.unit + ")")});
  for (const WinnerChange& change : result.winner_changes)
    if (change.benchmark.empty())
      lines.push_back(
          {Answer::inconclusive,
           fmt::format("{}/{}: the winner is {} instead of {}; its cost is not known: {}",
                       change.kernel, change.size, change.head, change.base, change.reason)});
  std::stable_sort(lines.begin(), lines.end(),
                   [](const Line& a, const Line& b) { return a.answer > b.answer; });
  return lines;
}

void list(Page& page, std::string_view label, const std::vector<std::string>& names) {
  for (const std::string& name : names)
    page.entry(label, indent, name, Style::warning);
}

std::string upper(std::string_view text) {
  std::string upper(text);
  std::transform(upper.begin(), upper.end(), upper.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return upper;
}

std::string verdict_of(const GateResult& result, std::size_t benchmarks) {
  if (!result.is_complete) return "INVALID: the session did not come to its end";
  const std::string counts = fmt::format("{} and {}", counted(benchmarks, "benchmark"),
                                         counted(result.counts.size(), "count"));
  if (result.answer == Answer::invalid)
    return "INVALID: " + (result.reason.empty() ? "of " + counts + ", see above" : result.reason);
  const std::string verdict = upper(to_string(result.answer)) + ": " + counts;
  if (result.kind == "stored")
    return verdict + "; a stored run shows no regression of a time, see docs/gate.md";
  if (!std::isfinite(result.detectable()))
    return verdict + "; what slowdown would have been found is not known";
  return fmt::format("{}; a slowdown of {:.1f} % would have been found {:.0f} times in 100",
                     verdict, 100 * result.detectable(), 100 * result.settings.stated_power);
}

}  // namespace

std::string gate_page(const GateResult& result, const TerminalOptions& options) {
  Page page(options);
  page.entry("base", indent, with_commit(result.base));
  page.entry("head", indent, with_commit(result.head));
  page.blank();
  const std::vector<Line> lines = lines_of(result);
  std::size_t passed = 0, benchmarks = 0;
  for (const Line& line : lines)
    if (line.answer == Answer::pass)
      ++passed;
    else
      page.entry(to_string(line.answer), indent, line.text, style_of(line.answer));
  for (const BenchmarkResult& benchmark : result.benchmarks)
    if (benchmark.role == Role::measured) ++benchmarks;
  if (passed > 0)
    page.entry("pass", indent, fmt::format("{} of {}", passed, lines.size()), Style::good);
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
  page.line(printable_line(verdict_of(result, benchmarks)),
            result.is_complete ? style_of(result.answer) : Style::bad);
  return page.text();
}

}  // namespace tunecheck
