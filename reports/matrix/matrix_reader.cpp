// read_results() of matrix_json.hpp.
#include <algorithm>

#include "reports/matrix/matrix_fields.hpp"
#include "reports/matrix/matrix_json.hpp"
#include "reports/stored/json_file.hpp"
#include "reports/stored/result_reader.hpp"

namespace tunecheck {
namespace {

// Error before fail before pass. Of two places where it is asked, one may be beyond the tuner: what
// the other answered counts.
Verdict worse(Verdict a, Verdict b) {
  for (const Verdict verdict : {Verdict::error, Verdict::fail, Verdict::known, Verdict::pass})
    if (a == verdict || b == verdict) return verdict;
  return a;
}

// The newest result counts: what is no moment would be newer than any, or older.
void check_moment(const std::string& moment, const std::string& place) {
  constexpr std::string_view form = "0000-00-00T00:00:00Z";
  const bool has_form =
      std::equal(moment.begin(), moment.end(), form.begin(), form.end(),
                 [](char a, char b) { return b == '0' ? a >= '0' && a <= '9' : a == b; });
  if (!has_form || !parse_date(moment.substr(0, 10)))
    throw JsonMistake{
        place, "expected a moment such as \"2027-03-31T12:00:00Z\", found \"" + moment + "\""};
}

MatrixScenario in_short(const ScenarioResult& scenario, const std::string& started) {
  MatrixScenario result;
  result.name = scenario.name;
  result.started = started;
  result.verdict = scenario.verdict;
  result.message = scenario.message;
  result.lacks = scenario.lacks;
  if (scenario.known && scenario.verdict == Verdict::known)
    result.mark = {scenario.known->reason, scenario.known->link, date_text(scenario.known->until),
                   scenario.known->at_times};
  result.tells_of_mark = scenario.known && scenario.verdict == Verdict::fail;
  for (const CheckResult& check : scenario.checks) {
    MatrixScenario::Trouble answer{check.check, check.verdict, check.expected, check.observed};
    if (answer.verdict == Verdict::fail && scenario.verdict == Verdict::known)
      answer.verdict = Verdict::known;
    const auto [place, added] = result.checks.emplace(answer.check, answer.verdict);
    if (!added) place->second = worse(place->second, answer.verdict);
    const bool first = std::none_of(
        result.troubles.begin(), result.troubles.end(),
        [&](const MatrixScenario::Trouble& other) { return other.check == answer.check; });
    const bool fine = answer.verdict == Verdict::pass || answer.verdict == Verdict::unsupported;
    if (!fine && first) result.troubles.push_back(std::move(answer));
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
  tuner.adapter_file = run.adapter_file;
  tuner.tuner = run.tuner;
  tuner.backend = run.backend;
  tuner.device = device_of(run);
  tuner.tunecheck_version = run.tunecheck_version;
  tuner.first_started = tuner.last_started = run.started;
  tuner.trouble = run.trouble;
  tuner.pending = run.pending;
  if (run.shard)
    tuner.parts.push_back({run.shard->selection, run.shard->number, run.shard->scenarios,
                           static_cast<std::int64_t>(run.scenarios.size() + run.pending.size())});
  for (const LeftOut& scenario : run.left_out)
    tuner.left_out.emplace(scenario.name, scenario);
  for (const ScenarioResult& scenario : run.scenarios)
    tuner.scenarios.emplace(scenario.name, in_short(scenario, run.started));
  return tuner;
}

MatrixTuner tuner_of_matrix(const JsonValue& json, const std::string& place) {
  auto tuner = read_as<MatrixTuner>(json);
  check_moment(tuner.first_started, place + "/first_started");
  check_moment(tuner.last_started, place + "/last_started");
  for (auto& [name, scenario] : tuner.scenarios)
    check_moment(scenario.started, place + "/scenarios: " + name + ": started");
  for (auto& [name, scenario] : tuner.scenarios)
    if (scenario.verdict != Verdict::known) scenario.mark.reset();
  return tuner;
}

}  // namespace

std::vector<MatrixTuner> tuners_from(const JsonValue& json) {
  std::vector<MatrixTuner> tuners;
  for (const JsonValue& tuner : json.field("tuners").items())
    tuners.push_back(tuner_of_matrix(tuner, "/tuners/" + std::to_string(tuners.size())));
  return tuners;
}

Result<std::vector<MatrixTuner>> read_results(const std::filesystem::path& file) {
  std::vector<ScenarioResult> scenarios;
  std::vector<MatrixTuner> tuners;
  TUNECHECK_CHECK(read_json_file(
      file, [&](const JsonValue& json) { scenarios.push_back(scenario_from(json)); },
      [&](const JsonValue& json) {
        if (json.field("tuners").exists()) {
          tuners = tuners_from(json);
        } else if (json.field("scenarios").exists()) {
          const RunResult run = run_from(json, std::move(scenarios));
          check_moment(run.started, "/started");
          tuners.push_back(in_short(run));
        } else {
          throw JsonMistake{"/scenarios",
                            "expected a file that `tunecheck run` or `tunecheck matrix` wrote"};
        }
      }));
  return tuners;
}

}  // namespace tunecheck
