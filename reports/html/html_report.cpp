#include "reports/html/html_report.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "reports/fields/run_fields.hpp"
#include "reports/html/html_pack.hpp"
#include "reports/html/html_parts.hpp"
#include "reports/html/html_template.hpp"
#include "reports/summary/gate_findings.hpp"
#include "reports/summary/verdict_history.hpp"

namespace tunecheck {
namespace {

constexpr std::size_t most_pending = 500;

// A run as the page lists it: without its scenarios, which have blocks of their own.
HtmlJson html_run(const RunResult& run, HtmlTexts& texts) {
  HtmlJson json = HtmlJson::object();
  for (const Field<RunResult>& field : fields_of(Of<RunResult>{}).all())
    if (field.description.name != "scenarios") field.write(run, json);
  auto& pending = json["pending"].get_ref<HtmlJson::array_t&>();
  pending.resize(std::min(pending.size(), most_pending));
  const auto device = run.environment.find("device");
  return {{"file", html_text(run.file)},
          {"device", device == run.environment.end() ? "" : html_text(device->second, 200)},
          {"pending_left_out", run.pending.size() - pending.size()},
          {"run", html_pack(fields_of(Of<RunResult>{}).description(), json, texts)}};
}

// How much there is to look at, by view; what a report has not is not there.
HtmlJson html_counts(const ReportSources& sources, const HtmlScenarios& scenarios,
                     const std::vector<std::size_t>& tuned) {
  HtmlJson counts = HtmlJson::object();
  if (!sources.runs.empty()) counts["scenarios"] = scenarios.rows.size();
  if (const auto kernels = std::count_if(tuned.begin(), tuned.end(),
                                         [](std::size_t tunings) { return tunings > 0; });
      kernels > 0)
    counts["kernels"] = kernels;
  const auto add = [&](const char* name, const auto& documents, const auto& count) {
    if (documents.empty()) return;
    std::size_t all = 0;
    for (const auto& document : documents)
      all += count(document.content);
    counts[name] = all;
  };
  add("watch", sources.watches, [](const WatchResult& watch) { return watch.findings.size(); });
  add("gate", sources.gates,
      [](const gate::GateResult& session) { return findings_of(session).size(); });
  add("history", sources.histories, [](const HistoryChanges& history) {
    return verdict_series_of(history.series, history.contents).size() +
           static_cast<std::size_t>(
               std::count_if(history.changes.found.begin(), history.changes.found.end(),
                             [](const auto& change) { return !is_verdict(change.benchmark); }));
  });
  add("audit", sources.audits, [](const AuditResult& audit) { return audit.mutants.size(); });
  return counts;
}

HtmlJson html_index(const ReportSources& sources, const BriefContext& context,
                    const std::string& version, const HtmlScenarios& scenarios,
                    const std::vector<std::size_t>& tuned) {
  const std::vector<Brief> briefs = briefs_of(sources, context);
  HtmlTexts texts;
  HtmlJson runs = HtmlJson::array();
  for (const RunResult& run : sources.runs)
    runs.push_back(html_run(run, texts));
  HtmlJson verdicts = HtmlJson::array();
  for (const auto& [verdict, word] : words_of(Of<Verdict>{}))
    verdicts.push_back(word);
  return {{"version", version},
          {"verdict", html_verdict(verdict_of(briefs))},
          {"worst", &worst_of(briefs) - briefs.data()},
          {"briefs", json_list(briefs, html_brief)},
          {"causes", html_causes(sources)},
          {"known", html_known(sources)},
          {"changes", html_changes(sources, context.base)},
          {"repository", html_text(context.repository, 1000)},
          {"verdicts", verdicts},
          {"texts", texts.json()},
          {"runs", runs},
          {"families", scenarios.families.names()},
          {"kernels", scenarios.kernels.names()},
          {"counts", html_counts(sources, scenarios, tuned)},
          {"checks", scenarios.checks.names()},
          {"marks", scenarios.marks.names()},
          {"scenarios", scenarios.rows},
          {"scenarios_per_block", html_scenarios_per_block},
          {"tuned", tuned},
          {"gates", sources.gates.size()},
          {"watches", sources.watches.size()},
          {"audits", sources.audits.size()},
          {"histories", sources.histories.size()}};
}

}  // namespace

std::size_t HtmlNames::place_of(const std::string& name) {
  const auto [found, added] = m_places.emplace(name, m_names.size());
  if (added) m_names.push_back(html_text(name, 600));
  return found->second;
}

Error built_without_pages() {
  return {ErrorKind::machine,
          "this tunecheck was built without the page of HTML reports; build it again where node "
          "and npm are: ci/bootstrap --html",
          {},
          0,
          {}};
}

bool has_html_reports() {
  return html_template().find(html_place_of_data) != std::string::npos;
}

Result<std::string> html_report(const ReportSources& sources, const HtmlOptions& options) {
  const BriefContext& context = options.context;
  std::string page = html_template();
  const std::size_t place = page.find(html_place_of_data);
  if (place == std::string::npos) return failure(built_without_pages());
  if (briefs_of(sources, context).empty())
    return failure(Error{ErrorKind::bad_input, "expected a document, found none", {}, 0, {}});
  HtmlBlocks blocks;
  const HtmlScenarios scenarios = add_scenarios(sources, {context.base, options.folder}, blocks);
  const std::vector<std::size_t> tuned = add_kernels(sources, scenarios.kernels.names(), blocks);
  for (std::size_t number = 0; number < sources.gates.size(); ++number)
    blocks.add(fmt::format("gate-{}", number),
               html_gate(sources.gates[number].content, sources.gates[number].file));
  for (std::size_t number = 0; number < sources.watches.size(); ++number)
    blocks.add(fmt::format("watch-{}", number),
               html_watch(sources.watches[number].content, sources.watches[number].file));
  for (std::size_t number = 0; number < sources.audits.size(); ++number)
    blocks.add(fmt::format("audit-{}", number),
               html_audit(sources.audits[number].content, sources.audits[number].file));
  for (std::size_t number = 0; number < sources.histories.size(); ++number)
    add_history(sources.histories[number].content, sources.histories[number].file, number, blocks);
  blocks.add("index", html_index(sources, context, options.version, scenarios, tuned));
  page.replace(place, html_place_of_data.size(), blocks.text());
  return page;
}

}  // namespace tunecheck
