#include "reports/markdown/watch_diff_markdown.hpp"

#include <vector>

#include <fmt/format.h>

#include "core/exit_status.hpp"
#include "core/text.hpp"
#include "reports/markdown/markdown_blocks.hpp"
#include "reports/markdown/markdown_text.hpp"
#include "reports/summary/watch_findings.hpp"
#include "reports/terminal/watch_diff_page.hpp"

namespace tunecheck {
namespace {

using Numbers = WatchDiff::Numbers;

std::string_view sign_of(const WatchDiff& diff) {
  switch (diff.exit_status()) {
    case status::held:
      return ":white_check_mark:";
    case status::failed:
      return ":x:";
    default:
      return ":warning:";
  }
}

std::string row(const WatchDiff::Finding& each) {
  const WatchResult::Finding& finding = each.finding;
  const std::string place = place_text(cause_of(finding));
  return fmt::format("| {} | {} | {} | {} | {} |\n", change_text(each), name_of(finding.word),
                     finding.kernel.empty() ? "" : markdown_code(finding.kernel, 200),
                     place.empty() ? "" : markdown_code(place, 300),
                     markdown_text(finding.text, 1000));
}

std::string numbers(const WatchDiff::Pair& pair) {
  return fmt::format("{} | {}", change_text(pair, &Numbers::launches),
                     change_text(pair, &Numbers::trials));
}

void add_runs(const WatchDiff& diff, MarkdownBlocks& blocks) {
  std::string table = "| run | launches | trials | compiles | time |\n|---|---:|---:|---:|---:|\n";
  for (const WatchDiff::Run& run : diff.runs)
    table +=
        fmt::format("| {} | {} | {} | {} |\n", markdown_text(run.name, 50), numbers(run.numbers),
                    change_text(run.numbers, &Numbers::compiles), time_text(run.numbers));
  blocks.add(table + "\n");
}

void add_kernels(const WatchDiff& diff, MarkdownBlocks& blocks) {
  std::vector<std::string> rows;
  std::vector<std::string> winners;
  for (const WatchDiff::Kernel& kernel : diff.kernels) {
    for (const auto& [name, pair] : {std::pair("cold", &kernel.cold), {"warm", &kernel.warm}})
      if (pair->before || pair->now)
        rows.push_back(fmt::format("| {} | {} | {} | {} |\n", markdown_code(kernel.name, 200), name,
                                   numbers(*pair), time_text(*pair)));
    for (const WatchDiff::Winner& winner : kernel.winners)
      winners.push_back(
          fmt::format("| {} | {} | {} | {} | {} |\n", markdown_code(kernel.name, 200),
                      markdown_text(winner.shapes, 200), markdown_text(winner.run, 50),
                      markdown_code(winner.before, 200), markdown_code(winner.now, 200)));
  }
  if (!rows.empty())
    blocks.add_rows("| kernel | start | launches | trials | tuning |\n|---|---|---:|---:|---:|\n",
                    rows);
  if (!winners.empty())
    blocks.add_rows("| kernel | shapes | run | winner before | now |\n|---|---|---|---|---|\n",
                    winners);
}

}  // namespace

std::string watch_diff_markdown(const WatchDiff& diff, std::size_t most) {
  MarkdownBlocks blocks(most);
  blocks.add(fmt::format("{} **{}**: {} against {}\n\n", sign_of(diff),
                         markdown_text(verdict_text(diff)), markdown_code(diff.now, 300),
                         markdown_code(diff.before, 300)));
  std::vector<std::string> rows;
  for (const WatchDiff::Finding& finding : diff.findings)
    rows.push_back(row(finding));
  if (!rows.empty())
    blocks.add_rows("| change | word | kernel | place | what |\n|---|---|---|---|---|\n", rows);
  add_runs(diff, blocks);
  add_kernels(diff, blocks);
  return blocks.text();
}

}  // namespace tunecheck
