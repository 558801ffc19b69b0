#include "reports/markdown/watch_markdown.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/exit_status.hpp"
#include "reports/markdown/markdown_text.hpp"
#include "reports/summary/brief.hpp"
#include "reports/summary/verdict.hpp"
#include "reports/summary/watch_findings.hpp"
#include "reports/terminal/terminal_page.hpp"

namespace tunecheck {
namespace {

using Finding = WatchResult::Finding;

std::string row(const Finding& finding) {
  std::string word = name_of(finding.word);
  if (!finding.is_certain) word = "unclear";
  if (finding.is_certain && finding.is_allowed) word += " (allowed)";
  if (finding.is_certain && !finding.is_new) word += " (in the baseline)";
  const std::string place = place_text(cause_of(finding));
  std::string text = finding.text;
  if (cause_of(finding) != finding.place && !finding.place.file.empty())
    text += "; launched at " + place_text(finding.place);
  for (const std::string& detail : finding.details)
    text += "; " + detail;
  return fmt::format("| {} | {} | {} | {} |\n", word,
                     finding.kernel.empty() ? "" : markdown_code(finding.kernel, 200),
                     place.empty() ? "" : markdown_code(place, 300), markdown_text(text, 1000));
}

}  // namespace

void add_watch(const WatchResult& watch, std::size_t most, MarkdownBlocks& blocks) {
  const std::string title = fmt::format("### {}\n\n", markdown_code(repeat_command(watch), 300));
  std::vector<std::string> rows;
  for (const Finding& finding : watch.findings)
    rows.push_back(row(finding));
  if (rows.empty()) blocks.add(title);
  blocks.add_rows(title + "| word | kernel | place | what |\n|---|---|---|---|\n", rows, most);
}

void add_watch_details(const WatchResult& watch, MarkdownBlocks& blocks) {
  std::string table =
      "| run | end | seconds | compiles | launches | trials |\n|---|---|---:|---:|---:|---:|\n";
  for (const WatchResult::Run& run : watch.runs)
    table += fmt::format("| {} | {} | {} | {} | {} | {} |\n", markdown_text(run.name, 50),
                         markdown_text(run.end, 100), seconds_text(run.wall_ns), run.compiles,
                         run.launches, run.trials);
  blocks.add(markdown_folded(counted(watch.runs.size(), "run"), table));
  std::string notes;
  for (const std::string& note : watch.notes)
    notes += "- " + markdown_text(note, 500) + "\n";
  if (!notes.empty()) blocks.add(markdown_folded(counted(watch.notes.size(), "note"), notes));
}

}  // namespace tunecheck
