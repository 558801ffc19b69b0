// read_results() of matrix_json.hpp.
#include <algorithm>

#include "reports/matrix/matrix_json.hpp"
#include "reports/stored/result_reader.hpp"

namespace tunecheck {
namespace {

// Error before fail before pass.
Verdict worse(Verdict a, Verdict b) {
  for (const Verdict verdict : {Verdict::error, Verdict::fail, Verdict::known})
    if (a == verdict || b == verdict) return verdict;
  return a;
}

MatrixScenario in_short(const ScenarioResult& scenario, const std::string& started) {
  MatrixScenario result;
  result.name = scenario.name;
  result.started = started;
  result.verdict = scenario.verdict;
  result.message = scenario.message;
  result.lacks = scenario.lacks;
  if (scenario.known && scenario.verdict == Verdict::known)
    result.mark = {scenario.known->reason, scenario.known->link, date_text(scenario.known->until)};
  for (const CheckResult& check : scenario.checks) {
    MatrixScenario::Trouble answer{check.check, check.verdict, check.expected, check.observed};
    if (answer.verdict == Verdict::fail && scenario.verdict == Verdict::known)
      answer.verdict = Verdict::known;
    const auto [place, added] = result.checks.emplace(answer.check, answer.verdict);
    if (!added) place->second = worse(place->second, answer.verdict);
    const bool first = std::none_of(
        result.troubles.begin(), result.troubles.end(),
        [&](const MatrixScenario::Trouble& other) { return other.check == answer.check; });
    if (answer.verdict != Verdict::pass && first) result.troubles.push_back(std::move(answer));
  }
  // No answer, no pass.
  const Verdict silence = scenario.verdict == Verdict::pass ? Verdict::error : scenario.verdict;
  for (const std::string& check : scenario.unanswered)
    result.checks.emplace(check, silence);
  return result;
}

MatrixTuner in_short(const RunResult& run) {
  MatrixTuner tuner;
  tuner.adapter = run.adapter;
  tuner.tuner = run.tuner;
  tuner.backend = run.backend;
  tuner.device = device_of(run);
  tuner.tunecheck_version = run.tunecheck_version;
  tuner.first_started = tuner.last_started = run.started;
  tuner.trouble = run.trouble;
  tuner.pending = run.pending;
  for (const LeftOut& scenario : run.left_out)
    tuner.left_out.emplace(scenario.name, scenario);
  for (const ScenarioResult& scenario : run.scenarios)
    tuner.scenarios.emplace(scenario.name, in_short(scenario, run.started));
  return tuner;
}

MatrixScenario scenario_of_matrix(const JsonValue& json) {
  MatrixScenario scenario;
  scenario.name = json.field("name").text();
  scenario.started = json.field("started").text();
  scenario.verdict = json.field("verdict").verdict();
  scenario.message = json.field("message").text();
  scenario.lacks = json.field("lacks").text_or_nothing();
  if (const JsonValue mark = json.field("known");
      mark.exists() && scenario.verdict == Verdict::known)
    scenario.mark = {mark.field("reason").text(), mark.field("link").text(),
                     mark.field("until").text()};
  const JsonValue checks = json.field("checks");
  for (const std::string& check : checks.names())
    scenario.checks.emplace(check, checks.field(check).verdict());
  for (const JsonValue& trouble : json.field("troubles").items_or_none())
    scenario.troubles.push_back({trouble.field("check").text(), trouble.field("verdict").verdict(),
                                 trouble.field("expected").text(),
                                 trouble.field("observed").text()});
  return scenario;
}

MatrixTuner tuner_of_matrix(const JsonValue& json) {
  MatrixTuner tuner;
  tuner.adapter = json.field("adapter").text();
  tuner.tuner = json.field("tuner").text();
  tuner.backend = json.field("backend").text();
  tuner.device = json.field("device").text();
  tuner.tunecheck_version = json.field("tunecheck_version").text();
  tuner.first_started = json.field("first_started").text();
  tuner.last_started = json.field("last_started").text();
  tuner.trouble = json.field("trouble").text_or_nothing();
  tuner.pending = json.field("pending").texts_or_none();
  for (const JsonValue& item : json.field("left_out").items_or_none()) {
    LeftOut left_out{item.field("name").text(), item.field("reason").text(),
                     item.field("checks").texts_or_none()};
    tuner.left_out.emplace(left_out.name, std::move(left_out));
  }
  for (const JsonValue& item : json.field("scenarios").items()) {
    MatrixScenario scenario = scenario_of_matrix(item);
    tuner.scenarios.emplace(scenario.name, std::move(scenario));
  }
  return tuner;
}

}  // namespace

Result<std::vector<MatrixTuner>> read_results(const std::filesystem::path& file) {
  std::vector<ScenarioResult> scenarios;
  std::vector<MatrixTuner> tuners;
  TUNECHECK_CHECK(read_json_file(
      file, [&](const JsonValue& json) { scenarios.push_back(scenario_from(json)); },
      [&](const JsonValue& json) {
        if (const JsonValue list = json.field("tuners"); list.exists()) {
          for (const JsonValue& tuner : list.items())
            tuners.push_back(tuner_of_matrix(tuner));
        } else if (json.field("scenarios").exists()) {
          tuners.push_back(in_short(run_from(json, std::move(scenarios))));
        } else {
          throw JsonMistake{"/scenarios",
                            "expected a file that `tunecheck run` or `tunecheck matrix` wrote"};
        }
      }));
  return tuners;
}

}  // namespace tunecheck
