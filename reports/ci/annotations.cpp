#include "reports/ci/annotations.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/exit_status.hpp"
#include "core/plain_text.hpp"
#include "reports/summary/failures.hpp"
#include "reports/summary/gate_findings.hpp"
#include "reports/summary/verdict.hpp"
#include "reports/summary/watch_findings.hpp"

namespace tunecheck {
namespace {

constexpr std::size_t longest_annotation = 2000;

// The line break is the one thing wanted that printable_line() does not leave.
std::string escaped(std::string_view text, bool is_property) {
  std::string result;
  for (const char letter : shortened(printable_line(text), longest_annotation))
    if (letter == '%' || (is_property && (letter == ':' || letter == ',')))
      result += fmt::format("%{:02X}", static_cast<unsigned>(letter));
    else
      result += letter;
  return result;
}

std::string annotation(const ScenarioResult& scenario, const std::filesystem::path& root) {
  const std::vector<const CheckResult*> checks = bad_checks(scenario);
  const int line =
      checks.empty() || checks.front()->line == 0 ? scenario.line : checks.front()->line;
  std::string title = scenario.name;
  if (!checks.empty()) title += " fails " + checks.front()->check;
  std::string text = escaped(reason_of(scenario), false) + "%0Abecause: ";
  text += escaped(scenario.because, false);
  if (!checks.empty() && !checks.front()->evidence.empty())
    text += "%0Aevidence: " + escaped(checks.front()->evidence.front(), false);
  text += "%0Arepeat it with: " + escaped(scenario.repro, false);
  return fmt::format("::error file={},line={},title={}::{}\n",
                     escaped(below_root(scenario.file, root), true), line, escaped(title, true),
                     text);
}

// Times belong to no line of a file.
std::string annotation(const GateFinding& finding, const gate::GateResult& session) {
  if (finding.answer == gate::Answer::pass || finding.answer == gate::Answer::improved) return {};
  const bool is_worse =
      finding.answer != gate::Answer::inconclusive || session.fails_on_inconclusive;
  return fmt::format("::{} title={}::{}%0A{}\n", is_worse ? "error" : "warning",
                     escaped(fmt::format("{}: {}", to_string(finding.answer), finding.name), true),
                     escaped(finding.reason, false), escaped(subject_of(session), false));
}

std::string annotation(const WatchResult::Finding& finding, const std::filesystem::path& root) {
  if (finding.is_certain && !finding.fails()) return {};
  std::string place;
  const WatchResult::Place& cause = cause_of(finding);
  if (!cause.file.empty())
    place = fmt::format("file={},line={},", escaped(below_root(cause.file, root), true),
                        std::max(1, cause.line));
  std::string text = escaped(finding.text, false);
  if (cause != finding.place && !finding.place.file.empty())
    text += "%0Alaunched at " + escaped(place_text(finding.place), false);
  for (const std::string& detail : finding.details)
    text += "%0A" + escaped(detail, false);
  const std::string title = fmt::format("{}{}{}", name_of(finding.word),
                                        finding.kernel.empty() ? "" : ": ", finding.kernel);
  return fmt::format("::{} {}title={}::{}\n", finding.is_certain ? "error" : "warning", place,
                     escaped(title, true), text);
}

}  // namespace

std::string below_root(const std::string& file, const std::filesystem::path& root) {
  const std::filesystem::path relative = std::filesystem::path(file).lexically_relative(root);
  const bool is_below = !relative.empty() && *relative.begin() != "..";
  return is_below ? relative.string() : file;
}

std::string to_annotations(std::span<const RunResult> runs, const std::filesystem::path& root) {
  std::string text;
  for (const RunResult& run : runs) {
    if (const std::string reason = why_not_trusted(run); !reason.empty())
      text += fmt::format("::error title={}::{}\n", escaped(subject_of(run), true),
                          escaped("NOT TRUSTED: " + reason, false));
    for (const ScenarioResult* const scenario : worst_first(run))
      text += annotation(*scenario, root);
  }
  return text;
}

std::string to_annotations(std::span<const GateSource> gates) {
  std::string text;
  for (const GateSource& gate : gates) {
    const gate::GateResult& session = gate.content;
    if (const std::string reason = why_not_trusted(session); !reason.empty())
      text += fmt::format("::error title={}::{}\n", escaped(subject_of(session), true),
                          escaped("NOT TRUSTED: " + reason, false));
    for (const GateFinding& finding : findings_of(session))
      text += annotation(finding, session);
  }
  return text;
}

std::string to_annotations(std::span<const WatchSource> watches,
                           const std::filesystem::path& root) {
  std::string text;
  for (const WatchSource& watch : watches) {
    if (watch.content.exit_status() == status::untrusted)
      text += fmt::format("::error title=tunecheck watch::{}\n",
                          escaped(verdict_of(watch.content).text(), false));
    for (const WatchResult::Finding& finding : watch.content.findings)
      text += annotation(finding, root);
  }
  return text;
}

}  // namespace tunecheck
