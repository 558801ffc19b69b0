// gate_from() and read_gate() of gate_json.hpp.
#include <algorithm>
#include <array>
#include <limits>

#include "reports/stored/gate_json.hpp"

namespace tunecheck {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

gate::Answer answer_from(const JsonValue& json) {
  constexpr std::array answers = {gate::Answer::pass, gate::Answer::improved,
                                  gate::Answer::inconclusive, gate::Answer::regression,
                                  gate::Answer::invalid};
  std::array<std::string_view, answers.size()> names;
  std::transform(answers.begin(), answers.end(), names.begin(),
                 [](gate::Answer answer) { return to_string(answer); });
  return answers[json.one_of(names)];
}

gate::Role role_from(const JsonValue& json) {
  constexpr std::array<std::string_view, 3> names = {"measured", "same", "slowed"};
  constexpr std::array roles = {gate::Role::measured, gate::Role::same, gate::Role::slowed};
  return roles[json.one_of(names)];
}

gate::Side first_from(const JsonValue& json) {
  constexpr std::array<std::string_view, 2> names = {"base", "head"};
  return json.one_of(names) == 0 ? gate::Side::base : gate::Side::head;
}

gate::Settings settings_from(const JsonValue& json) {
  gate::Settings settings;
  settings.delta = json.field("delta").number();
  settings.tolerance = json.field("tolerance").number();
  settings.alpha = json.field("alpha").number();
  // Sessions before there was this one asked for nothing of the kind.
  const JsonValue same_alpha = json.field("same_alpha");
  settings.same_alpha = same_alpha.exists() ? same_alpha.number() : 1;
  settings.pass_alpha = json.field("pass_alpha").number();
  settings.planned_power = json.field("planned_power").number();
  settings.stated_power = json.field("stated_power").number();
  settings.planted = json.field("planted").number();
  settings.screen_pairs = json.field("screen_pairs").whole<std::size_t>();
  settings.least_pairs = json.field("least_pairs").whole<std::size_t>();
  settings.most_pairs = json.field("most_pairs").whole<std::size_t>();
  return settings;
}

gate::SideResult side_from(const JsonValue& json) {
  return {json.field("given").text(), json.field("folder").text(), json.field("commit").text(),
          json.field("tuner").text(), json.field("environment").facts()};
}

gate::Subject subject_from(const JsonValue& json) {
  return {json.field("name").text(), json.field("metric").text(),  json.field("kernel").text(),
          json.field("size").text(), json.field("backend").text(), json.field("unit").text()};
}

gate::ProcessRun measured_process_from(const JsonValue& json) {
  gate::ProcessRun run;
  run.failure = json.field("failure").text();
  for (const JsonValue& sample : json.field("samples").items())
    run.samples.push_back(sample.number_or(none));
  return run;
}

gate::PairRecord pair_from(const JsonValue& json) {
  return {first_from(json.field("first")),
          {measured_process_from(json.field("base")), measured_process_from(json.field("head"))}};
}

gate::BenchmarkResult benchmark_from(const JsonValue& json) {
  gate::BenchmarkResult benchmark;
  benchmark.subject = subject_from(json);
  benchmark.role = role_from(json.field("role"));
  benchmark.is_settled = json.field("settled").truth();
  gate::Finding& finding = benchmark.finding;
  finding.answer = answer_from(json.field("answer"));
  finding.reason = json.field("reason").text();
  finding.change = json.field("change").number_or(none);
  finding.at_least = json.field("at_least").number_or(-infinity);
  finding.at_most = json.field("at_most").number_or(infinity);
  finding.detectable = json.field("detectable").number_or(infinity);
  finding.screen_pairs = json.field("screen_pairs").whole<std::size_t>();
  finding.confirmation_pairs = json.field("confirmation_pairs").whole<std::size_t>();
  for (const JsonValue& pair : json.field("pairs").items())
    benchmark.pairs.push_back(pair_from(pair));
  return benchmark;
}

std::vector<std::int64_t> counts_from(const JsonValue& json) {
  std::vector<std::int64_t> counts;
  for (const JsonValue& item : json.items())
    counts.push_back(item.whole<std::int64_t>());
  return counts;
}

gate::CountResult count_from(const JsonValue& json) {
  return {subject_from(json),
          {answer_from(json.field("answer")), json.field("reason").text()},
          counts_from(json.field("base")),
          counts_from(json.field("head"))};
}

std::map<std::string, std::int64_t> winners_from(const JsonValue& json) {
  std::map<std::string, std::int64_t> winners;
  for (const std::string& config : json.names())
    winners[config] = json.field(config).count();
  return winners;
}

gate::WinnerChange winner_change_from(const JsonValue& json) {
  return {json.field("kernel").text(),
          json.field("size").text(),
          json.field("backend").text(),
          json.field("base").text(),
          json.field("head").text(),
          winners_from(json.field("base_winners")),
          winners_from(json.field("head_winners")),
          json.field("benchmark").text(),
          json.field("reason").text()};
}

std::vector<std::string> texts_from(const JsonValue& json) {
  std::vector<std::string> texts;
  for (const JsonValue& item : json.items())
    texts.push_back(item.text());
  return texts;
}

}  // namespace

gate::GateResult gate_from(const JsonValue& json) {
  gate::GateResult result;
  result.tunecheck_version = json.field("tunecheck_version").text();
  result.started = json.field("started").text();
  result.kind = json.field("kind").text();
  result.adapter = json.field("adapter").text();
  result.backend = json.field("backend").text();
  result.seed = json.field("seed").whole<std::uint64_t>();
  result.settings = settings_from(json.field("settings"));
  result.environment = json.field("environment").facts();
  result.pinning = json.field("pinning").text();
  result.wall_ns = json.field("wall_ns").count();
  result.is_complete = json.field("complete").truth();
  result.answer = answer_from(json.field("answer"));
  result.reason = json.field("reason").text();
  result.fails_on_inconclusive = json.field("fail_on_inconclusive").truth();
  result.base = side_from(json.field("base"));
  result.head = side_from(json.field("head"));
  for (const JsonValue& benchmark : json.field("benchmarks").items())
    result.benchmarks.push_back(benchmark_from(benchmark));
  for (const JsonValue& count : json.field("counts").items())
    result.counts.push_back(count_from(count));
  for (const JsonValue& change : json.field("winner_changes").items())
    result.winner_changes.push_back(winner_change_from(change));
  result.added = texts_from(json.field("added"));
  result.removed = texts_from(json.field("removed"));
  for (const JsonValue& renaming : json.field("renamed").items())
    result.renamed.push_back({renaming.field("base").text(), renaming.field("head").text()});
  for (const JsonValue& each : json.field("not_measured").items())
    result.not_measured.push_back({each.field("name").text(), each.field("reason").text()});
  return result;
}

Result<gate::GateResult> read_gate(const std::filesystem::path& file) {
  gate::GateResult result;
  TUNECHECK_CHECK(read_json_file(
      file, [](const JsonValue&) {},
      [&](const JsonValue& json) {
        expect_kind(json, JsonKind::gate);
        result = gate_from(json);
      }));
  return result;
}

}  // namespace tunecheck
