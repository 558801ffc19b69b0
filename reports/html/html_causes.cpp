// What the page says first: briefs, causes, known failures, changes against a base.
#include <set>

#include "reports/html/html_parts.hpp"
#include "reports/summary/causes.hpp"
#include "reports/summary/changes.hpp"

namespace tunecheck {
namespace {

// Rows are in the order of runs and of their scenarios.
class Rows {
 public:
  explicit Rows(const ReportSources& sources) {
    std::size_t place = 0;
    for (const RunResult& run : sources.runs)
      for (const ScenarioResult& scenario : run.scenarios)
        m_places[&scenario] = place++;
  }
  [[nodiscard]] HtmlJson places_of(const std::vector<const ScenarioResult*>& scenarios) const {
    return json_list(scenarios,
                     [&](const ScenarioResult* scenario) { return m_places.at(scenario); });
  }

 private:
  std::map<const ScenarioResult*, std::size_t> m_places;
};

HtmlJson html_cause(const Cause& cause, std::size_t run, const Rows& rows) {
  const CheckResult* const check = evidence_of(cause, *cause.scenarios.front());
  return {{"run", run},
          {"check", html_text(cause.check, 200)},
          {"verdict", name_of(cause.verdict)},
          {"meaning", html_text(cause.meaning)},
          {"expected", check == nullptr ? "" : html_text(check->expected)},
          {"observed", check == nullptr ? "" : html_text(check->observed)},
          {"own", cause.own},
          {"scenarios", rows.places_of(cause.scenarios)},
          {"symptoms", json_list(cause.symptoms, [](const auto& symptom) {
             return HtmlJson{html_text(symptom.first, 200), symptom.second};
           })}};
}

}  // namespace

HtmlJson html_causes(const ReportSources& sources) {
  const Rows rows(sources);
  HtmlJson json = HtmlJson::array();
  for (std::size_t run = 0; run < sources.runs.size(); ++run)
    for (const Cause& cause : causes_of(sources.runs[run]))
      json.push_back(html_cause(cause, run, rows));
  return json;
}

HtmlJson html_known(const ReportSources& sources) {
  const Rows rows(sources);
  HtmlJson json = HtmlJson::array();
  for (std::size_t run = 0; run < sources.runs.size(); ++run)
    for (const KnownCause& cause : known_causes_of(sources.runs[run]))
      json.push_back({{"run", run},
                      {"reason", html_text(cause.reason)},
                      {"link", html_text(cause.link, 500)},
                      {"scenarios", rows.places_of(cause.scenarios)}});
  return json;
}

HtmlJson html_changes(const ReportSources& sources, std::span<const RunResult> base) {
  const Rows rows(sources);
  HtmlJson json = HtmlJson::array();
  for (std::size_t run = 0; run < sources.runs.size(); ++run) {
    const RunResult* const before = base_of(sources.runs[run], base);
    if (before == nullptr) continue;
    const Changes changes = changes_between(*before, sources.runs[run]);
    json.push_back({{"run", run},
                    {"started", html_text(before->started, 100)},
                    {"commit", html_text(commit_of(*before), 100)},
                    {"broken", rows.places_of(changes.broken)},
                    {"unasked", rows.places_of(changes.unasked)},
                    {"as_bad", rows.places_of(changes.as_bad)},
                    {"mended", rows.places_of(changes.mended)},
                    {"others", rows.places_of(changes.others)},
                    {"gone", json_list(changes.gone, [](const std::string& name) {
                       return html_text(name, 200);
                     })}});
  }
  return json;
}

HtmlJson html_verdict(const VerdictLine& verdict) {
  return {{"standing", name_of(verdict.standing)},
          {"status", verdict.status},
          {"word", html_text(verdict.word, 100)},
          {"sentence", html_text(verdict.sentence)}};
}

HtmlJson html_brief(const Brief& brief) {
  return {{"kind", name_of(brief.kind)},
          {"number", brief.number},
          {"verdict", html_verdict(brief.verdict)},
          {"subject", html_text(brief.subject, 400)},
          {"broke", html_text(brief.broke)},
          {"why", html_text(brief.why)},
          {"since", html_text(brief.since)},
          {"whose", html_text(brief.whose)},
          {"next", html_text(brief.next)},
          {"command", html_text(brief.command)},
          {"compare", html_text(brief.compare, 1000)}};
}

}  // namespace tunecheck
