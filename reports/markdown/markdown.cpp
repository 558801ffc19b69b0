#include "reports/markdown/markdown.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/plain_text.hpp"
#include "core/text.hpp"
#include "reports/markdown/gate_markdown.hpp"
#include "reports/markdown/markdown_blocks.hpp"
#include "reports/markdown/markdown_text.hpp"
#include "reports/markdown/run_markdown.hpp"
#include "reports/markdown/watch_markdown.hpp"
#include "reports/summary/brief.hpp"
#include "reports/summary/changes.hpp"
#include "reports/summary/watch_findings.hpp"

namespace tunecheck {
namespace {

constexpr std::size_t rows_before_the_fold = 24;  // of all tables
constexpr std::size_t most_documents = 6;         // that are told of before the fold

std::string_view sign_of(Standing standing) {
  switch (standing) {
    case Standing::good:
      return ":white_check_mark:";
    case Standing::known:
      return ":large_orange_diamond:";
    case Standing::open:
      return ":grey_question:";
    case Standing::bad:
      return ":x:";
    case Standing::untrusted:
      break;
  }
  return ":warning:";
}

// What a comment can be found by: a name of letters that mean nothing in HTML, nor to a shell, jq
// or a regular expression.
std::string plain_name(const std::string& text) {
  std::string name;
  for (const char letter : text)
    if ((letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
        (letter >= '0' && letter <= '9') || letter == '_' || letter == ':' || letter == ' ')
      name += letter;
    else if (!name.empty() && name.back() != '_')
      name += '_';
  return shortened(name, 120);
}

// Of whom a page tells. What ran beside the runs may be missing from the next page.
std::string marker_of(const ReportSources& sources) {
  std::set<std::string> names;
  for (const RunResult& run : sources.runs)
    names.insert(plain_name(run.adapter + " on " + run.backend));
  if (names.empty())
    for (const GateSource& gate : sources.gates)
      names.insert(plain_name(gate.content.adapter.empty()
                                  ? "benchmarks"
                                  : gate.content.adapter + " on " + gate.content.backend));
  if (names.empty())
    for (const WatchSource& watch : sources.watches)
      names.insert(plain_name(short_command(watch.content)));
  return fmt::format("<!-- tunecheck report: {} -->",
                     shortened(fmt::format("{}", fmt::join(names, ", ")), 400));
}

std::string head_text(const ReportSources& sources, const VerdictLine& verdict) {
  return fmt::format("{}\n## {} {}\n\n", marker_of(sources), sign_of(verdict.standing),
                     markdown_text(verdict.text(), 400));
}

std::string answer_row(std::string_view question, const std::string& answer) {
  return fmt::format("| **{}** | {} |\n", question, answer);
}

std::string answers_text(const Brief& brief, const MarkdownOptions& options) {
  const auto text = [](const std::string& answer) { return markdown_text(answer, 400); };
  std::string table =
      "| | |\n|---|---|\n" + answer_row("What broke", text(brief.broke)) +
      answer_row("Why", text(brief.why)) +
      answer_row(
          "Since when",
          text(brief.since) +
              (brief.compare.empty() ? "" : fmt::format(" ([the commits]({}))", brief.compare))) +
      answer_row("Whose", text(brief.whose)) +
      answer_row("What to do",
                 text(brief.next) +
                     (brief.command.empty() ? "" : ": " + markdown_code(brief.command, 400)));
  if (!options.artifact.empty())
    table += answer_row("Everything", fmt::format("[the whole report]({})", options.artifact));
  return table + "\n";
}

// Where there are several documents: which of them says what, the worst ones above the fold.
void add_documents(const std::vector<Brief>& briefs, MarkdownBlocks& blocks) {
  if (briefs.size() < 2) return;
  std::vector<const Brief*> worst_first;
  for (const Brief& brief : briefs)
    worst_first.push_back(&brief);
  if (briefs.size() > most_documents)
    std::stable_sort(worst_first.begin(), worst_first.end(), [](const Brief* a, const Brief* b) {
      return a->verdict.standing > b->verdict.standing;
    });
  const std::string head = "| | of | what was judged | in short |\n|---|---|---|---|\n";
  std::vector<std::string> rows;
  for (const Brief* const brief : worst_first)
    rows.push_back(fmt::format("| {} | {} | {} | {} |\n", sign_of(brief->verdict.standing),
                               name_of(brief->kind), markdown_text(brief->subject, 200),
                               markdown_text(brief->verdict.text(), 300)));
  blocks.add_rows(head, rows, most_documents);
  if (rows.size() > most_documents)
    blocks.add_folded(fmt::format("{} in all", counted(rows.size(), "document")), head, rows);
}

// Where and when it was measured, for a reader who looks twice.
std::string about_text(const ReportSources& sources) {
  std::string text;
  for (const RunResult& run : sources.runs)
    text += fmt::format("- {}: tunecheck {}, {}, seed {}, {:.2f} s\n",
                        markdown_text(subject_of(run), 200),
                        markdown_text(run.tunecheck_version, 40), markdown_text(run.started, 40),
                        run.seed, static_cast<double>(run.wall_ns) / 1e9);
  return text.empty() ? "" : markdown_folded("About the runs", text);
}

std::size_t rows_of_each(std::size_t documents) {
  return documents > most_documents ? rows_before_the_fold
                                    : std::max<std::size_t>(2, rows_before_the_fold / documents);
}

// Each document's own part above the fold; of many documents it is below.
void add_verdicts(const ReportSources& sources, const MarkdownOptions& options,
                  std::size_t documents, MarkdownBlocks& blocks) {
  const bool is_folded = documents > most_documents;
  const std::size_t rows = rows_of_each(documents);
  if (is_folded)
    blocks.begin_fold(fmt::format("What each of {} found", counted(documents, "document")));
  for (const RunResult& run : sources.runs)
    add_run_causes(run, base_of(run, options.base), rows / 2, blocks);
  for (const GateSource& gate : sources.gates)
    add_gate_verdict(gate.content, rows, blocks);
  for (const WatchSource& watch : sources.watches)
    add_watch(watch.content, rows, blocks);
  if (is_folded) blocks.end_fold();
}

}  // namespace

std::string to_markdown(const ReportSources& sources, const MarkdownOptions& options) {
  const std::vector<Brief> briefs = briefs_of(sources, {options.base, options.repository});
  MarkdownBlocks blocks(options.most_bytes);
  blocks.add(head_text(sources, verdict_of(briefs)));
  blocks.add(answers_text(worst_of(briefs), options));
  add_documents(briefs, blocks);
  add_verdicts(sources, options, briefs.size(), blocks);
  for (const RunResult& run : sources.runs)
    add_run_failures(run, base_of(run, options.base), blocks);
  for (const GateSource& gate : sources.gates)
    add_gate_details(gate.content, rows_of_each(briefs.size()), blocks);
  for (const WatchSource& watch : sources.watches)
    add_watch_details(watch.content, blocks);
  for (const RunResult& run : sources.runs)
    add_run_details(run, sources.runs.size() == 1, blocks);
  blocks.add(about_text(sources));
  return blocks.text();
}

}  // namespace tunecheck
