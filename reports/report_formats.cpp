#include "reports/report_formats.hpp"

#include <algorithm>
#include <array>

#include "reports/annotations.hpp"
#include "reports/html_report.hpp"
#include "reports/junit.hpp"
#include "reports/markdown.hpp"
#include "reports/sarif.hpp"

namespace tunecheck {
namespace {

Result<std::string> terminal(const ReportInput& input) {
  std::string text;
  for (const RunResult& run : input.sources.runs)
    text += (text.empty() ? "" : "\n") + run_summary(run, input.terminal);
  return text;
}

Result<std::string> junit(const ReportInput& input) {
  return to_junit(input.sources.runs);
}

Result<std::string> markdown(const ReportInput& input) {
  return to_markdown(input.sources.runs, input.base,
                     input.most_bytes == 0 ? longest_comment : input.most_bytes);
}

Result<std::string> annotations(const ReportInput& input) {
  return to_annotations(input.sources.runs, input.root);
}

Result<std::string> sarif(const ReportInput& input) {
  return to_sarif(input.sources.runs, input.root);
}

Result<std::string> html(const ReportInput& input) {
  return html_report(input.sources, input.version);
}

constexpr std::array<ReportFormat, 6> formats = {{
    {"terminal", "what `tunecheck run` prints at its end", terminal},
    {"junit", "JUnit XML, for what shows test results", junit},
    {"markdown", "a comment on a pull request, the summary of a job", markdown},
    {"annotations", "GitHub's ::error lines, beside the lines they name", annotations},
    {"sarif", "SARIF 2.1.0, for code scanning", sarif},
    {"html", "one page for a browser, with sessions of the gate, histories and audits beside runs",
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
