#include "reports/report_formats.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "reports/ci/annotations.hpp"
#include "reports/ci/junit.hpp"
#include "reports/ci/sarif.hpp"
#include "reports/html/html_report.hpp"
#include "reports/html/html_state.hpp"
#include "reports/markdown/markdown.hpp"
#include "reports/terminal/answers.hpp"
#include "reports/terminal/gate_page.hpp"
#include "reports/terminal/watch_page.hpp"

namespace tunecheck {
namespace {

Result<void> expect_runs_and_gates(const ReportSources& sources) {
  const auto refuse = [](std::string_view what, const std::string& file) {
    return failure(Error{ErrorKind::bad_input,
                         fmt::format("expected a file that `tunecheck run`, `gate` or `watch` "
                                     "wrote: only the format html shows {}",
                                     what),
                         file,
                         0,
                         {}});
  };
  if (!sources.audits.empty()) return refuse("an audit", sources.audits.front().file);
  if (!sources.histories.empty()) return refuse("a history", sources.histories.front().file);
  if (!sources.matrices.empty()) return refuse("a matrix", sources.matrices.front().file);
  return {};
}

Result<std::string> terminal(const ReportInput& input) {
  TUNECHECK_CHECK(expect_runs_and_gates(input.sources));
  const std::vector<Brief> briefs = briefs_of(input.sources, {input.base, input.repository});
  const bool has_several = briefs.size() > 1;
  if (has_several && input.terminal.detail == Detail::quiet)
    return common_end(briefs, input.terminal);
  TerminalOptions options = input.terminal;
  // The answers of the worst of several documents stand at the end.
  if (briefs.size() == 1) options.brief = &briefs.front();
  std::string text;
  for (const RunResult& run : input.sources.runs)
    text += (text.empty() ? "" : "\n") + run_summary(run, options);
  for (const GateSource& gate : input.sources.gates)
    text += (text.empty() ? "" : "\n") + gate_page(gate.content, options);
  for (const WatchSource& watch : input.sources.watches)
    text += (text.empty() ? "" : "\n") + watch_page(watch.content, options);
  return has_several ? text + "\n" + common_end(briefs, options) : text;
}

Result<std::string> junit(const ReportInput& input) {
  TUNECHECK_CHECK(expect_runs_and_gates(input.sources));
  return to_junit(input.sources.runs, input.sources.gates, input.sources.watches, input.root);
}

Result<std::string> markdown(const ReportInput& input) {
  TUNECHECK_CHECK(expect_runs_and_gates(input.sources));
  return to_markdown(input.sources, {input.base, input.repository, input.artifact,
                                     input.most_bytes == 0 ? longest_comment : input.most_bytes});
}

Result<std::string> annotations(const ReportInput& input) {
  TUNECHECK_CHECK(expect_runs_and_gates(input.sources));
  return to_annotations(input.sources, input.root);
}

Result<std::string> sarif(const ReportInput& input) {
  TUNECHECK_CHECK(expect_runs_and_gates(input.sources));
  if (!input.sources.gates.empty())
    return failure(
        Error{ErrorKind::bad_input,
              "expected a file that `tunecheck run` wrote: a SARIF result belongs to a line of a "
              "file, and a time of the gate does not",
              input.sources.gates.front().file,
              0,
              {}});
  return to_sarif(input.sources.runs, input.sources.watches,
                  {input.root, input.documentation, input.with_known});
}

// A page of its own, about tuners and not about a run.
Result<std::string> state(const ReportInput& input) {
  const ReportSources& sources = input.sources;
  if (!sources.runs.empty() || !sources.gates.empty() || !sources.audits.empty() ||
      !sources.histories.empty() || !sources.watches.empty())
    return failure(Error{ErrorKind::bad_input,
                         "expected files of `tunecheck matrix` alone: they have a page of their "
                         "own, and results become a part of it by `tunecheck matrix --format html`",
                         sources.matrices.front().file,
                         0,
                         {}});
  Matrix matrix;
  for (const auto& source : sources.matrices)
    for (const MatrixTuner& tuner : source.content)
      matrix.add(tuner);
  return html_state(matrix, {}, input.version);
}

Result<std::string> html(const ReportInput& input) {
  if (!input.sources.matrices.empty()) return state(input);
  return html_report(
      input.sources,
      {{input.base, input.repository, {}, input.base_audits}, input.version, input.folder});
}

constexpr std::array<ReportFormat, 6> formats = {{
    {"terminal", "what `tunecheck run` prints at its end", terminal},
    {"junit", "JUnit XML, for tools that show test results", junit},
    {"markdown", "for a comment on a pull request, or the summary of a job", markdown},
    {"annotations", "GitHub's ::error lines, shown next to the lines that they name", annotations},
    {"sarif", "SARIF 2.1.0, for code scanning", sarif},
    {"html", "one page for a browser, with runs, watches, gate sessions, histories and audits",
     html},
}};

}  // namespace

std::span<const ReportFormat> report_formats() {
  return formats;
}

const ReportFormat* find_report_format(std::string_view name) {
  const auto found = std::find_if(formats.begin(), formats.end(),
                                  [&](const ReportFormat& format) { return format.name == name; });
  return found == formats.end() ? nullptr : &*found;
}

}  // namespace tunecheck
