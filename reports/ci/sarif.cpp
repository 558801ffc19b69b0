#include "reports/ci/sarif.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/digest.hpp"
#include "core/plain_text.hpp"
#include "judge/checks/table/check.hpp"
#include "reports/ci/place.hpp"
#include "reports/ci/sarif_parts.hpp"
#include "reports/ci/watch_sarif.hpp"
#include "reports/stored/json_document.hpp"
#include "reports/summary/causes.hpp"
#include "reports/summary/failures.hpp"
#include "reports/summary/verdict.hpp"

namespace tunecheck {
namespace {

using Json = nlohmann::ordered_json;

using sarif::message;
using sarif::rule_json;

// Every check; the rule of scenarios; then checks that this tunecheck does not know.
class Rules {
 public:
  explicit Rules(std::string_view documentation) : m_documentation(documentation) {
    for (const Check& check : all_checks())
      add(check.name, check.summary,
          fmt::format("{}. docs/checks.md says what {} asks and what it reads.", check.summary,
                      check.name));
    add(of_scenarios, "the scenario can be judged",
        "The scenario ended before a check could say why. Its message and the adapter's log say "
        "why.");
  }

  static constexpr std::string_view of_scenarios = "scenario";

  std::size_t place_of(const std::string& id) {
    const auto found = m_places.find(id);
    return found != m_places.end() ? found->second
                                   : add(id, id, "This tunecheck does not know the check.");
  }
  [[nodiscard]] const Json& json() const { return m_json; }

 private:
  std::size_t add(std::string_view id, std::string_view summary, std::string_view help) {
    m_json.push_back(rule_json(id, summary, help));
    if (!m_documentation.empty()) m_json.back()["helpUri"] = m_documentation + "/checks.md";
    return m_places[std::string(id)] = m_json.size() - 1;
  }

  std::string m_documentation;
  std::map<std::string, std::size_t> m_places;
  Json m_json = Json::array();
};

struct Found {
  const RunResult& run;
  const ScenarioResult& scenario;
  std::string rule;
  std::string text;
  const CheckResult* check = nullptr;  ///< null: no check says why
};

Json result_json(const Found& found, Rules& rules, const std::filesystem::path& root) {
  const ScenarioResult& scenario = found.scenario;
  const std::string identity =
      found.run.adapter + '\n' + found.run.backend + '\n' + scenario.name + '\n' + found.rule;
  const ReportPlace at = place_of(found.run, scenario, found.check, root);
  const Json place = sarif::place_json(at.file, at.line);
  Json result = {
      {"ruleId", printable_line(found.rule)},
      {"ruleIndex", rules.place_of(found.rule)},
      {"level", "error"},
      {"message", message(fmt::format("{}: {} (because: {}; repeat it with: {})", scenario.name,
                                      found.text, scenario.because, scenario.repro))},
      {"locations", Json::array({place})},
      {"partialFingerprints", {{"tunecheck/v1", artifact_digest(identity)}}}};
  if (scenario.verdict == Verdict::known)
    result["suppressions"].push_back(
        {{"kind", "external"},
         {"status", "accepted"},
         {"justification", printable_line(scenario.known->reason + " " + scenario.known->link)}});
  return result;
}

void add_results(const RunResult& run, const ScenarioResult& scenario, Rules& rules,
                 const std::filesystem::path& root, Json& results) {
  const std::vector<const CheckResult*> checks = causes_first(scenario);
  for (const CheckResult* const check : checks)
    results.push_back(result_json(
        {run, scenario, check->check,
         fmt::format("expected {}; observed {}", check->expected, check->observed), check},
        rules, root));
  if (checks.empty())
    results.push_back(result_json(
        {run, scenario, std::string(Rules::of_scenarios), scenario.message, nullptr}, rules, root));
}

Json sarif_run(const RunResult& run, const SarifOptions& options) {
  const std::filesystem::path& root = options.root;
  Rules rules(options.documentation);
  Json results = Json::array();
  for (const ScenarioResult* const scenario : worst_first(run))
    add_results(run, *scenario, rules, root, results);
  for (const ScenarioResult& scenario : run.scenarios)
    if (scenario.verdict == Verdict::known && options.with_known)
      add_results(run, scenario, rules, root, results);
  const std::string reason = why_not_trusted(run);
  Json invocation = {{"executionSuccessful", reason.empty()}};
  if (!reason.empty())
    invocation["toolExecutionNotifications"].push_back(
        {{"level", "error"}, {"message", message(reason)}});
  return {{"tool",
           {{"driver",
             {{"name", "tunecheck"},
              {"version", printable_line(run.tunecheck_version)},
              {"rules", rules.json()}}}}},
          {"automationDetails",
           {{"id", fmt::format("tunecheck/{}/{}/", printable_line(run.adapter),
                               printable_line(run.backend))}}},
          {"invocations", Json::array({invocation})},
          {"columnKind", "unicodeCodePoints"},
          {"results", results}};
}

}  // namespace

std::string to_sarif(std::span<const RunResult> runs, std::span<const WatchSource> watches,
                     const SarifOptions& options) {
  Json list = Json::array();
  for (const RunResult& run : runs)
    list.push_back(sarif_run(run, options));
  for (const WatchSource& watch : watches)
    list.push_back(watch_sarif_run(watch.content, options));
  return json_document({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                        {"version", "2.1.0"},
                        {"runs", list}});
}

}  // namespace tunecheck
