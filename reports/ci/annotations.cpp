#include "reports/ci/annotations.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/exit_status.hpp"
#include "core/plain_text.hpp"
#include "core/text.hpp"
#include "reports/ci/place.hpp"
#include "reports/summary/causes.hpp"
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

// One for each cause: what a reader needs to see of thirty failures is why, and once.
std::string annotation(const Cause& cause, const RunResult& run,
                       const std::filesystem::path& root) {
  const ScenarioResult& clearest = *cause.scenarios.front();
  const CheckResult* const check = evidence_of(cause, clearest);
  const ReportPlace place = place_of(run, clearest, check, root);
  const std::string title = fmt::format(
      "{}: {}", cause.check.empty() ? name_of(cause.verdict) : std::string_view(cause.check),
      counted(cause.scenarios.size(), "failure"));
  std::string text = escaped(cause.meaning, false);
  if (check != nullptr) text += "%0Aobserved: " + escaped(check->observed, false);
  text += "%0Aclearest in: " + escaped(clearest.name, false) + ", because " +
          escaped(clearest.because, false);
  if (check != nullptr && !check->evidence.empty())
    text += "%0Aevidence: " + escaped(check->evidence.front(), false);
  text += "%0Arepeat it with: " + escaped(clearest.repro, false);
  return fmt::format("::error file={},line={},title={}::{}\n", escaped(place.file, true),
                     place.line, escaped(title, true), text);
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

void add(const RunResult& run, const std::filesystem::path& root, std::vector<std::string>& all) {
  if (const std::string reason = why_not_trusted(run); !reason.empty())
    all.push_back(fmt::format("::error title={}::{}\n", escaped(subject_of(run), true),
                              escaped("NOT TRUSTED: " + reason, false)));
  for (const Cause& cause : causes_of(run))
    all.push_back(annotation(cause, run, root));
}

void add(const gate::GateResult& session, std::vector<std::string>& all) {
  if (const std::string reason = why_not_trusted(session); !reason.empty())
    all.push_back(fmt::format("::error title={}::{}\n", escaped(subject_of(session), true),
                              escaped("NOT TRUSTED: " + reason, false)));
  for (const GateFinding& finding : findings_of(session))
    if (const std::string text = annotation(finding, session); !text.empty()) all.push_back(text);
}

void add(const WatchResult& watch, const std::filesystem::path& root,
         std::vector<std::string>& all) {
  if (watch.exit_status() == status::untrusted)
    all.push_back(fmt::format("::error title=tunecheck watch::{}\n",
                              escaped(verdict_of(watch).text(), false)));
  for (const WatchResult::Finding& finding : watch.findings)
    if (const std::string text = annotation(finding, root); !text.empty()) all.push_back(text);
}

}  // namespace

std::string to_annotations(const ReportSources& sources, const std::filesystem::path& root) {
  std::vector<std::string> all;
  for (const RunResult& run : sources.runs)
    add(run, root, all);
  for (const GateSource& gate : sources.gates)
    add(gate.content, all);
  for (const WatchSource& watch : sources.watches)
    add(watch.content, root, all);
  std::stable_partition(all.begin(), all.end(),
                        [](const std::string& line) { return line.starts_with("::error "); });
  std::string text;
  const bool is_cut = all.size() > most_annotations;
  for (std::size_t i = 0; i < (is_cut ? most_annotations - 1 : all.size()); ++i)
    text += all[i];
  if (is_cut)
    text += fmt::format("::warning title=tunecheck::{} more are in the summary and the report\n",
                        all.size() - most_annotations + 1);
  return text;
}

}  // namespace tunecheck
