#include "reports/terminal/tuning_table.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/plain_text.hpp"
#include "reports/terminal/terminal_page.hpp"

namespace tunecheck {
namespace {

constexpr std::size_t bar_columns = 16;

std::string time_text(double ns) {
  if (ns < 1e4) return fmt::format("{:.2f} us", ns / 1e3);
  if (ns < 1e6) return fmt::format("{:.1f} us", ns / 1e3);
  if (ns < 1e9) return fmt::format("{:.2f} ms", ns / 1e6);
  return fmt::format("{:.2f} s", ns / 1e9);
}

// "+3 % -1 %": where four fifths of the launches are, beside the median.
std::string spread_text(const LaunchTimes& times) {
  return fmt::format("-{:.0f} +{:.0f} %", 100 * (1 - times.low_ns / times.median_ns),
                     100 * (times.high_ns / times.median_ns - 1));
}

// What the kernel is limited by where it says so, else what it says anything of; bytes or
// operations in a ns are GB or GFLOP in a second.
std::string throughput_text(const KernelTuning& result, double median_ns) {
  const bool by_flops =
      result.flops > 0 && (result.limited_by == LimitedBy::compute || result.bytes == 0);
  if (by_flops) return fmt::format("{:.2f} GFLOP/s", result.flops / median_ns);
  if (result.bytes > 0) return fmt::format("{:.2f} GB/s", result.bytes / median_ns);
  return "";
}

double slowest_of(const KernelTuning& result) {
  double slowest = 0;
  for (const KernelTuning::Row& row : result.rows)
    if (row.times) slowest = std::max(slowest, row.times->median_ns);
  return slowest;
}

std::string bar(double ns, double longest_ns) {
  const double columns = static_cast<double>(bar_columns) * ns / longest_ns;
  return std::string(std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(columns))), '#');
}

std::string mark_of(const KernelTuning::Row& row) {
  if (row.is_winner && row.is_default) return "winner, default";
  return row.is_winner ? "winner" : row.is_default ? "default" : "";
}

void write_rows(Page& page, const KernelTuning& result) {
  std::size_t widest = 6;
  for (const KernelTuning::Row& row : result.rows)
    widest = std::max(widest, to_string(row.config).size());
  const double slowest = slowest_of(result);
  page.line(fmt::format("  {:{}}  {:>10}  {:>12}  {:>14}  time", "config", widest, "median",
                        "spread", "throughput"),
            Style::faint);
  for (const KernelTuning::Row& row : result.rows) {
    const std::string config = fmt::format("  {:{}}", to_string(row.config), widest);
    if (!row.times && row.failure.empty()) continue;  // it was not asked for
    if (!row.times) {
      page.entry(config + "  failed", widest + 14, row.failure, Style::bad, 3);
      continue;
    }
    const std::string line = fmt::format(
        "{}  {:>10}  {:>12}  {:>14}  {:{}}  {}", config, time_text(row.times->median_ns),
        spread_text(*row.times), throughput_text(result, row.times->median_ns),
        bar(row.times->median_ns, slowest), bar_columns, mark_of(row));
    page.line(line.substr(0, line.find_last_not_of(' ') + 1),
              row.is_winner ? Style::good : Style::plain);
  }
}

std::string compared(double other_ns, double winner_ns, std::string_view other) {
  return fmt::format("{}; {:.2f} times the winner's time", other, other_ns / winner_ns);
}

double bandwidth_share(const KernelTuning& result, double median_ns) {
  return result.copy->median_ns / median_ns;
}

void write_comparison(Page& page, const KernelTuning& result) {
  const KernelTuning::Row* const winner = result.winner();
  if (winner == nullptr || !winner->times) return;
  const double ns = winner->times->median_ns;
  page.entry("winner", 14, fmt::format("{}  {}", to_string(winner->config), time_text(ns)),
             Style::strong);
  if (const KernelTuning::Row* const row = result.default_row(); row != nullptr && row->times)
    page.entry(
        "default", 14,
        compared(row->times->median_ns, ns,
                 fmt::format("{}  {}", to_string(row->config), time_text(row->times->median_ns))));
  if (result.naive)
    page.entry("naive loop", 14,
               compared(result.naive->median_ns, ns, time_text(result.naive->median_ns)));
  else if (!result.naive_trouble.empty())
    page.entry("naive loop", 14, result.naive_trouble, Style::warning);
  if (result.copy)
    page.entry(
        "plain copy", 14,
        fmt::format("{:.2f} GB/s for as many bytes; the winner reaches {:.0f} % of that",
                    result.bytes / result.copy->median_ns, 100 * bandwidth_share(result, ns)));
}

}  // namespace

std::string tuning_summary(const KernelTuning& result, const TerminalOptions& options) {
  Page page(options);
  page.line(fmt::format("{}, size {}{}{}, arch {}, tuned by {}", result.kernel, result.size,
                        result.dtypes.empty() ? "" : ", dtypes ", result.dtypes, result.arch,
                        result.tuner.empty() ? "nobody" : printable_line(result.tuner)),
            Style::strong);
  if (!result.device.empty()) page.entry("  device", 12, result.device);
  write_rows(page, result);
  write_comparison(page, result);
  if (!result.message.empty() && result.trouble.empty()) page.entry("message", 14, result.message);
  if (!result.trouble.empty()) page.entry("FAILED", 14, result.trouble, Style::bad);
  return page.text();
}

std::string tuning_markdown_head() {
  return "| kernel | winner | median | throughput | first / winner | default / winner | naive / "
         "winner | share of a copy's bandwidth | limited by |\n"
         "|---|---|---|---|---|---|---|---|---|\n";
}

std::string tuning_markdown_row(const KernelTuning& result) {
  const KernelTuning::Row* const winner = result.winner();
  if (winner == nullptr || !winner->times || !result.trouble.empty())
    return fmt::format("| `{}` | {} | | | | | | | |\n", result.kernel,
                       printable_line(result.trouble.empty() ? "no winner" : result.trouble));
  const double ns = winner->times->median_ns;
  const auto ratio = [&](const std::optional<LaunchTimes>& times) {
    return times ? fmt::format("{:.2f}", times->median_ns / ns) : std::string();
  };
  const KernelTuning::Row* const chosen = result.default_row();
  const std::string_view limit = result.limited_by == LimitedBy::memory    ? "memory"
                                 : result.limited_by == LimitedBy::compute ? "compute"
                                                                           : "";
  return fmt::format("| `{}` | `{}` | {} | {} | {} | {} | {} | {} | {} |\n", result.kernel,
                     to_string(winner->config), time_text(ns), throughput_text(result, ns),
                     ratio(result.rows.front().times),
                     chosen != nullptr ? ratio(chosen->times) : "", ratio(result.naive),
                     result.copy ? fmt::format("{:.0f} %", 100 * bandwidth_share(result, ns)) : "",
                     limit);
}

}  // namespace tunecheck
