#include "reports/stored/gate_json.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

#include "core/files.hpp"
#include "reports/stored/json_document.hpp"

namespace tunecheck {
namespace {

using Json = nlohmann::ordered_json;

Json finite_or_null(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

std::string_view name_of(gate::Side side) {
  return side == gate::Side::base ? "base" : "head";
}

std::string_view name_of(gate::Role role) {
  switch (role) {
    case gate::Role::same:
      return "same";
    case gate::Role::slowed:
      return "slowed";
    case gate::Role::measured:
      break;
  }
  return "measured";
}

Json settings_json(const gate::Settings& settings) {
  return {{"delta", settings.delta},
          {"tolerance", settings.tolerance},
          {"alpha", settings.alpha},
          {"same_alpha", settings.same_alpha},
          {"pass_alpha", settings.pass_alpha},
          {"planned_power", settings.planned_power},
          {"stated_power", settings.stated_power},
          {"planted", settings.planted},
          {"screen_pairs", settings.screen_pairs},
          {"least_pairs", settings.least_pairs},
          {"most_pairs", settings.most_pairs}};
}

Json side_json(const gate::SideResult& side) {
  return {{"given", side.given},
          {"folder", side.folder},
          {"commit", side.commit},
          {"tuner", side.tuner},
          {"environment", side.environment}};
}

Json subject_json(const gate::Subject& subject) {
  return {{"name", subject.name}, {"metric", subject.metric},   {"kernel", subject.kernel},
          {"size", subject.size}, {"backend", subject.backend}, {"unit", subject.unit}};
}

Json measured_process_json(const gate::ProcessRun& run) {
  Json samples = Json::array();
  for (const double sample : run.samples)
    samples.push_back(finite_or_null(sample));
  return {{"failure", run.failure},
          {"median", run.samples.empty() ? Json() : finite_or_null(gate::median(run.samples))},
          {"samples", samples}};
}

// Of the processes that gave a sample.
Json median_of(const std::vector<gate::PairRecord>& pairs, gate::ProcessRun gate::Pair::*side) {
  std::vector<double> medians;
  for (const gate::PairRecord& record : pairs)
    if (const gate::ProcessRun& run = record.pair.*side; !run.samples.empty())
      medians.push_back(gate::median(run.samples));
  return medians.empty() ? Json() : finite_or_null(gate::median(medians));
}

Json benchmark_json(const gate::BenchmarkResult& benchmark) {
  const gate::Finding& finding = benchmark.finding;
  Json json = subject_json(benchmark.subject);
  json["role"] = name_of(benchmark.role);
  json["settled"] = benchmark.is_settled;
  json["answer"] = to_string(finding.answer);
  json["reason"] = finding.reason;
  json["change"] = finite_or_null(finding.change);
  json["at_least"] = finite_or_null(finding.at_least);
  json["at_most"] = finite_or_null(finding.at_most);
  json["detectable"] = finite_or_null(finding.detectable);
  json["screen_pairs"] = finding.screen_pairs;
  json["confirmation_pairs"] = finding.confirmation_pairs;
  json["base_median"] = median_of(benchmark.pairs, &gate::Pair::base);
  json["head_median"] = median_of(benchmark.pairs, &gate::Pair::head);
  json["pairs"] = Json::array();
  for (const gate::PairRecord& record : benchmark.pairs)
    json["pairs"].push_back({{"first", name_of(record.first)},
                             {"base", measured_process_json(record.pair.base)},
                             {"head", measured_process_json(record.pair.head)}});
  return json;
}

Json count_json(const gate::CountResult& count) {
  Json json = subject_json(count.subject);
  json["answer"] = to_string(count.finding.answer);
  json["reason"] = count.finding.reason;
  json["base"] = count.base;
  json["head"] = count.head;
  return json;
}

Json winner_change_json(const gate::WinnerChange& change) {
  return {{"kernel", change.kernel},
          {"size", change.size},
          {"backend", change.backend},
          {"base", change.base},
          {"head", change.head},
          {"base_winners", change.base_winners},
          {"head_winners", change.head_winners},
          {"benchmark", change.benchmark},
          {"reason", change.reason}};
}

Json renaming_json(const gate::Renaming& renaming) {
  return {{"base", renaming.base}, {"head", renaming.head}};
}

Json not_measured_json(const gate::NotMeasured& each) {
  return {{"name", each.name}, {"reason", each.reason}};
}

}  // namespace

std::string to_json(const gate::GateResult& result) {
  return json_document({{"schema", gate_schema_version},
                        {"tunecheck_version", result.tunecheck_version},
                        {"started", result.started},
                        {"kind", result.kind},
                        {"adapter", result.adapter},
                        {"backend", result.backend},
                        {"seed", result.seed},
                        {"settings", settings_json(result.settings)},
                        {"environment", result.environment},
                        {"pinning", result.pinning},
                        {"wall_ns", result.wall_ns},
                        {"complete", result.is_complete},
                        {"answer", to_string(result.answer)},
                        {"reason", result.reason},
                        {"detectable", finite_or_null(result.detectable())},
                        {"fail_on_inconclusive", result.fails_on_inconclusive},
                        {"exit_status", result.exit_status()},
                        {"base", side_json(result.base)},
                        {"head", side_json(result.head)},
                        {"benchmarks", json_list(result.benchmarks, benchmark_json)},
                        {"counts", json_list(result.counts, count_json)},
                        {"winner_changes", json_list(result.winner_changes, winner_change_json)},
                        {"added", result.added},
                        {"removed", result.removed},
                        {"renamed", json_list(result.renamed, renaming_json)},
                        {"not_measured", json_list(result.not_measured, not_measured_json)}});
}

Result<void> GateFile::update(const gate::GateResult& so_far) {
  const auto begun = std::chrono::steady_clock::now();
  if (!so_far.is_complete && begun < m_next) return {};
  TUNECHECK_CHECK(create_folders(m_file.parent_path()));
  TUNECHECK_CHECK(write_file_atomically(m_file, to_json(so_far)));
  const auto written = std::chrono::steady_clock::now();
  m_next = written + 20 * (written - begun);
  return {};
}

}  // namespace tunecheck
