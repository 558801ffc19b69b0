#include "reports/terminal/watch_diff_page.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/exit_status.hpp"
#include "core/plain_text.hpp"
#include "reports/terminal/terminal_page.hpp"
#include "reports/terminal/watch_page.hpp"

namespace tunecheck {
namespace {

using Change = WatchDiff::Change;
using Numbers = WatchDiff::Numbers;
using Pair = WatchDiff::Pair;

constexpr std::size_t diff_label_width = 12;

Style style_of(const WatchDiff::Finding& each) {
  if (each.is_worse()) return Style::bad;
  return each.change == Change::fixed ? Style::good : Style::warning;
}

void write_finding(Page& page, const WatchDiff::Finding& each) {
  const WatchResult::Finding& finding = each.finding;
  const std::string subject = subject_text(finding);
  const std::string note = change_text(each);
  const std::size_t comma = note.find(", ");
  page.entry(
      note.substr(0, comma), diff_label_width,
      printable_line(fmt::format(
          "{}{}{}: {}{}", name_of(finding.word), subject.empty() ? "" : " ", subject, finding.text,
          comma == note.npos ? "" : fmt::format(" [{}]", note.substr(comma + 2)))),
      style_of(each));
}

std::string counts_text(const Pair& pair) {
  return fmt::format("launches {}, trials {}", change_text(pair, &Numbers::launches),
                     change_text(pair, &Numbers::trials));
}

void write_run(Page& page, const WatchDiff::Run& run) {
  page.entry(run.name, diff_label_width,
             fmt::format("compiles {}, {}, {}", change_text(run.numbers, &Numbers::compiles),
                         counts_text(run.numbers), time_text(run.numbers)));
}

bool has_tuning(const Pair& pair) {
  return (pair.before && pair.before->ns > 0) || (pair.now && pair.now->ns > 0);
}

std::string part_text(const char* name, const Pair& pair) {
  if (!pair.before && !pair.now) return "";
  return fmt::format("{}: {}{}", name, counts_text(pair),
                     has_tuning(pair) ? ", tuning " + time_text(pair) : "");
}

void write_kernel(Page& page, const WatchDiff::Kernel& kernel) {
  page.entry("kernel", diff_label_width, printable_line(kernel.name));
  for (const std::string& part : {part_text("cold", kernel.cold), part_text("warm", kernel.warm)})
    if (!part.empty()) page.entry("", diff_label_width, part);
  for (const WatchDiff::Winner& winner : kernel.winners)
    page.entry("", diff_label_width,
               printable_line(fmt::format("winner, {}, {}: {} -> {}", winner.run, winner.shapes,
                                          winner.before, winner.now)));
}

void write_numbers(Page& page, const WatchDiff& diff) {
  for (const WatchDiff::Run& run : diff.runs)
    write_run(page, run);
  if (!diff.kernels.empty()) page.blank();
  for (const WatchDiff::Kernel& kernel : diff.kernels)
    write_kernel(page, kernel);
}

std::size_t count_of(const WatchDiff& diff, Change change) {
  return static_cast<std::size_t>(
      std::count_if(diff.findings.begin(), diff.findings.end(),
                    [&](const WatchDiff::Finding& each) { return each.change == change; }));
}

}  // namespace

std::string change_text(const WatchDiff::Finding& each) {
  std::string text = each.change == Change::added   ? "new"
                     : each.change == Change::fixed ? "fixed"
                                                    : "still";
  if (!each.finding.is_certain)
    text += ", unclear";
  else if (each.change != Change::fixed && each.was_unclear)
    text += ", was unclear";
  if (each.change != Change::fixed && each.finding.is_allowed) text += ", allowed";
  return text;
}

std::string change_text(const Pair& pair, std::int64_t Numbers::*number) {
  const auto text = [&](const std::optional<Numbers>& numbers) {
    return numbers ? std::to_string((*numbers).*number) : std::string("none");
  };
  const std::string before = text(pair.before);
  const std::string now = text(pair.now);
  return before == now ? now : before + " -> " + now;
}

std::string time_text(const Pair& pair) {
  const auto text = [](const std::optional<Numbers>& numbers) {
    return numbers ? seconds_text(numbers->ns) : std::string("none");
  };
  const std::string before = text(pair.before);
  const std::string now = text(pair.now);
  return before == now ? now : before + " -> " + now;
}

std::string verdict_text(const WatchDiff& diff) {
  const auto worse = static_cast<std::size_t>(
      std::count_if(diff.findings.begin(), diff.findings.end(),
                    [](const WatchDiff::Finding& each) { return each.is_worse(); }));
  const std::string others =
      fmt::format("{} fixed, {} still there", counted(count_of(diff, Change::fixed), "finding"),
                  count_of(diff, Change::still));
  if (worse > 0) return fmt::format("WORSE: {} new; {}", counted(worse, "finding"), others);
  if (!diff.why_untrusted.empty()) return "NOT TRUSTED: " + diff.why_untrusted;
  return "NOT WORSE: " + others;
}

std::string watch_diff_part(const WatchDiff& diff, const TerminalOptions& options) {
  if (options.detail == Detail::quiet) return "";
  Page page(options);
  page.entry("before", diff_label_width, printable_line(diff.before));
  for (const WatchDiff::Finding& finding : diff.findings)
    if (finding.change == Change::fixed) write_finding(page, finding);
  write_numbers(page, diff);
  page.blank();
  return page.text();
}

std::string watch_diff_page(const WatchDiff& diff, const TerminalOptions& options) {
  Page page(options);
  const Style style = diff.exit_status() == status::held ? Style::good : Style::bad;
  if (options.detail != Detail::quiet) {
    page.entry("before", diff_label_width, printable_line(diff.before));
    page.entry("now", diff_label_width, printable_line(diff.now));
    page.blank();
    for (const WatchDiff::Finding& finding : diff.findings)
      write_finding(page, finding);
    if (!diff.findings.empty()) page.blank();
    write_numbers(page, diff);
    page.blank();
  }
  page.line(printable_line(verdict_text(diff)), style);
  return page.text();
}

}  // namespace tunecheck
