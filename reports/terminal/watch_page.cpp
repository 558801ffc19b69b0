#include "reports/terminal/watch_page.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/exit_status.hpp"
#include "core/plain_text.hpp"
#include "reports/summary/verdict.hpp"
#include "reports/summary/watch_findings.hpp"
#include "reports/terminal/answers.hpp"
#include "reports/terminal/terminal_page.hpp"

namespace tunecheck {
namespace {

using Finding = WatchResult::Finding;

constexpr std::size_t indent = 12;

std::string why_it_does_not_fail(const Finding& finding) {
  if (!finding.is_certain) return " [unclear]";
  if (finding.is_allowed) return " [allowed]";
  return finding.is_new ? "" : " [in the baseline]";
}

void write_finding(Page& page, const Finding& finding) {
  const std::string subject = subject_text(finding);
  const std::string text = fmt::format("{}{}{}{}", subject, subject.empty() ? "" : ": ",
                                       finding.text, why_it_does_not_fail(finding));
  page.entry(finding.is_certain ? name_of(finding.word) : "unclear", indent, printable_line(text),
             finding.fails() ? Style::bad : Style::warning);
  for (const std::string& detail : finding.details)
    page.entry("", indent, printable_line(detail), Style::plain, 3);
}

void write_run(Page& page, const WatchResult::Run& run) {
  page.entry(run.name, indent,
             fmt::format("{}, {}{}; {}, {}{}{}", run.end, seconds_text(run.wall_ns),
                         run.ready_after_ns
                             ? fmt::format(" (ready after {})", seconds_text(*run.ready_after_ns))
                             : "",
                         counted(static_cast<std::size_t>(run.compiles), "compile"),
                         run.launches == 1 ? "1 launch" : fmt::format("{} launches", run.launches),
                         run.trials > 0 ? fmt::format(" ({} of them trials)", run.trials) : "",
                         run.processes > 1 ? fmt::format(" in {} processes", run.processes) : ""),
             run.succeeded ? Style::plain : Style::warning);
}

// How many kernels nothing was found of.
std::size_t right_kernels(const WatchResult& result) {
  return static_cast<std::size_t>(std::count_if(
      result.kernels.begin(), result.kernels.end(), [&](const WatchResult::Kernel& kernel) {
        return std::none_of(result.findings.begin(), result.findings.end(),
                            [&](const Finding& finding) { return finding.kernel == kernel.name; });
      }));
}

}  // namespace

std::string watch_page(const WatchResult& result, const TerminalOptions& options) {
  Page page(options);
  const Style style = result.exit_status() == status::held ? Style::good : Style::bad;
  if (options.detail == Detail::quiet) {
    page.line(printable_line(verdict_of(result).text()), style);
    return page.text();
  }
  for (const std::string& note : result.notes)
    page.entry("note", indent, printable_line(note), Style::faint);
  if (!result.notes.empty()) page.blank();
  for (const Finding& finding : result.findings)
    write_finding(page, finding);
  // A run that ended early has said too little to call anything right.
  const bool all_ended = std::all_of(result.runs.begin(), result.runs.end(),
                                     [](const WatchResult::Run& run) { return run.succeeded; });
  if (const std::size_t count = right_kernels(result); count > 0 && all_ended)
    page.entry("ok", indent, counted(count, "kernel"), Style::good);
  page.blank();
  for (const WatchResult::Run& run : result.runs)
    write_run(page, run);
  page.blank();
  write_answers(page);
  page.line(printable_line(verdict_of(result).text()), style);
  return page.text();
}

}  // namespace tunecheck
