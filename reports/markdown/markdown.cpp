#include "reports/markdown/markdown.hpp"

#include <fmt/format.h>

#include "reports/markdown/gate_markdown.hpp"
#include "reports/markdown/markdown_blocks.hpp"
#include "reports/markdown/markdown_text.hpp"
#include "reports/markdown/run_markdown.hpp"
#include "reports/markdown/watch_markdown.hpp"
#include "reports/summary/brief.hpp"
#include "reports/summary/changes.hpp"

namespace tunecheck {
namespace {

constexpr std::size_t rows_before_the_fold = 24;  // of all tables

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

std::string head_text(const VerdictLine& verdict) {
  return fmt::format("{}\n## {} {}\n\n", markdown_marker, sign_of(verdict.standing),
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

// Where there are several documents: which of them says what.
std::string documents_text(const std::vector<Brief>& briefs) {
  if (briefs.size() < 2) return {};
  std::string table = "| | of | what was judged | in short |\n|---|---|---|---|\n";
  for (const Brief& brief : briefs)
    table +=
        fmt::format("| {} | {} | {} | {} |\n", sign_of(brief.verdict.standing), name_of(brief.kind),
                    markdown_text(brief.subject, 200), markdown_text(brief.verdict.text(), 300));
  return table + "\n";
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

}  // namespace

std::string to_markdown(const ReportSources& sources, const MarkdownOptions& options) {
  const std::vector<Brief> briefs = briefs_of(sources, {options.base, options.repository});
  MarkdownBlocks blocks(options.most_bytes);
  blocks.add(head_text(verdict_of(briefs)));
  blocks.add(answers_text(worst_of(briefs), options));
  blocks.add(documents_text(briefs));
  const std::size_t rows = std::max<std::size_t>(2, rows_before_the_fold / briefs.size());
  for (const RunResult& run : sources.runs)
    add_run_causes(run, base_of(run, options.base), rows / 2, blocks);
  for (const GateSource& gate : sources.gates)
    add_gate_verdict(gate.content, rows, blocks);
  for (const WatchSource& watch : sources.watches)
    add_watch(watch.content, rows, blocks);
  for (const RunResult& run : sources.runs)
    add_run_failures(run, base_of(run, options.base), blocks);
  for (const GateSource& gate : sources.gates)
    add_gate_details(gate.content, blocks);
  for (const WatchSource& watch : sources.watches)
    add_watch_details(watch.content, blocks);
  for (const RunResult& run : sources.runs)
    add_run_details(run, sources.runs.size() == 1, blocks);
  blocks.add(about_text(sources));
  return blocks.text();
}

}  // namespace tunecheck
