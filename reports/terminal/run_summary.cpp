#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "core/plain_text.hpp"
#include "reports/summary/verdict.hpp"
#include "reports/terminal/answers.hpp"
#include "reports/terminal/failures.hpp"
#include "reports/terminal/terminal.hpp"
#include "reports/terminal/terminal_page.hpp"

namespace tunecheck {
namespace {

void write_title(Page& page, const RunResult& result) {
  const std::string tuner = result.tuner.empty() ? "a tuner that never answered" : result.tuner;
  page.entry("", 0,
             fmt::format("tunecheck {} judged {} (adapter {}) on {}, seed {}, {}",
                         result.tunecheck_version, tuner, result.adapter, result.backend,
                         result.seed, counted(static_cast<std::size_t>(result.jobs), "job")));
  if (const auto not_seen = result.environment.find("not_seen");
      not_seen != result.environment.end())
    page.entry("", 0, "not seen: " + not_seen->second, Style::bad);
  page.blank();
}

void write_unsupported(Page& page, const RunResult& result) {
  if (result.count(Verdict::unsupported) == 0) return;
  page.line("Not run, because the adapter says it cannot:", Style::strong);
  for (const ScenarioResult& scenario : result.scenarios)
    if (scenario.verdict == Verdict::unsupported)
      page.entry("  " + scenario.name, 44, scenario.message, Style::plain, 2);
  page.blank();
}

void write_not_asked(Page& page, const RunResult& result) {
  const auto not_asked = result.not_asked();
  if (not_asked.empty()) return;
  page.line("Not asked, because the adapter does not declare what the check needs:", Style::strong);
  for (const auto& [check, scenarios] : not_asked)
    page.entry("  " + check.first, 44,
               fmt::format("{}; in {}", check.second, counted(scenarios, "scenario")), Style::plain,
               2);
  page.blank();
}

// Those that do not run on this kind of device, by reason.
void write_left_out(Page& page, const RunResult& result) {
  if (result.left_out.empty()) return;
  std::map<std::string, std::size_t> reasons;
  for (const LeftOut& scenario : result.left_out)
    ++reasons[scenario.reason];
  page.line(fmt::format("Left out on {}: {}", result.backend,
                        counted(result.left_out.size(), "scenario")),
            Style::strong);
  for (const auto& [reason, scenarios] : reasons)
    page.entry(fmt::format("  {:3}", scenarios), 7, reason);
  page.blank();
}

void write_known(Page& page, const RunResult& result) {
  if (result.count(Verdict::known) == 0) return;
  page.line("Failed as a mark says they do:", Style::strong);
  for (const ScenarioResult& scenario : result.scenarios) {
    if (scenario.verdict != Verdict::known || !scenario.known) continue;
    page.entry(
        "  " + scenario.name, 44,
        fmt::format("{}; until {}", scenario.known->reason, date_text(scenario.known->until)),
        Style::plain, 4);
    page.whole_entry("", 44, scenario.known->link);
  }
  page.blank();
}

void write_passed(Page& page, const RunResult& result) {
  page.line("Passed:", Style::strong);
  for (const ScenarioResult& scenario : result.scenarios)
    if (scenario.verdict == Verdict::pass)
      page.entry("  " + seconds_text(scenario.wall_ns), 12, scenario.name);
  page.blank();
}

struct Family {
  std::map<Verdict, int> counts;
  std::int64_t wall_ns = 0;
};

void write_families(Page& page, const RunResult& result) {
  std::map<std::string, Family> families;
  for (const ScenarioResult& scenario : result.scenarios) {
    Family& family = families[scenario.family];
    ++family.counts[scenario.verdict];
    family.wall_ns += scenario.wall_ns;
  }
  page.line(fmt::format("{:24}{:>8}{:>8}{:>8}{:>8}{:>14}{:>10}", "family", "pass", "fail", "error",
                        "known", "unsupported", "time"),
            Style::strong);
  for (auto& [name, family] : families) {
    const bool bad = family.counts[Verdict::fail] + family.counts[Verdict::error] > 0;
    page.line(
        fmt::format("{:24}{:>8}{:>8}{:>8}{:>8}{:>14}{:>10}", shortened(printable_line(name), 23),
                    family.counts[Verdict::pass], family.counts[Verdict::fail],
                    family.counts[Verdict::error], family.counts[Verdict::known],
                    family.counts[Verdict::unsupported], seconds_text(family.wall_ns)),
        bad ? Style::bad : Style::plain);
  }
  page.blank();
}

}  // namespace

std::string run_summary(const RunResult& result, const TerminalOptions& options) {
  Page page(options);
  if (options.detail != Detail::quiet) {
    write_title(page, result);
    write_failures(page, result);
    write_unsupported(page, result);
    write_not_asked(page, result);
    write_left_out(page, result);
    write_known(page, result);
    if (options.detail == Detail::verbose) write_passed(page, result);
    write_families(page, result);
  }
  write_answers(page);
  if (!options.html.empty() && options.detail != Detail::quiet)
    page.whole_entry("for a browser", 15, options.html.string());
  const std::string file =
      result.file.empty() ? (options.out / "result.json").string() : printable_line(result.file);
  page.line(fmt::format("{}; {}, judge {:.1f} %; {}", printable_line(verdict_of(result).text()),
                        seconds_text(result.wall_ns), 100 * result.judge_share(), file),
            result.exit_status() == 0 ? Style::good : Style::bad);
  return page.text();
}

}  // namespace tunecheck
