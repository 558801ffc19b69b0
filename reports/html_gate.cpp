// html_gate() of html_parts.hpp: a session without its samples, each pair with its medians.
#include <cmath>

#include "reports/html_parts.hpp"
#include "reports/json_document.hpp"

namespace tunecheck {
namespace {

using namespace gate;

HtmlJson number(double value) {
  if (!std::isfinite(value)) return nullptr;
  return value;
}

HtmlJson texts(const std::vector<std::string>& list) {
  return json_list(list, [](const std::string& text) { return html_text(text); });
}

HtmlJson facts(const std::map<std::string, std::string>& list) {
  HtmlJson json = HtmlJson::object();
  for (const auto& [name, value] : list)
    json[html_text(name, 200)] = html_text(value);
  return json;
}

HtmlJson side_json(const SideResult& side) {
  return {{"given", html_text(side.given)},
          {"folder", html_text(side.folder)},
          {"commit", html_text(side.commit)},
          {"tuner", html_text(side.tuner)},
          {"environment", facts(side.environment)}};
}

HtmlJson median_json(const ProcessRun& process) {
  if (!process.failure.empty() || process.samples.empty()) return nullptr;
  return html_time(median(process.samples));
}

HtmlJson pair_json(const PairRecord& record) {
  const auto& [base, head] = record.pair;
  std::string failures;
  if (!base.failure.empty()) failures = "base: " + base.failure;
  if (!head.failure.empty()) failures += (failures.empty() ? "head: " : "; head: ") + head.failure;
  return {record.first == Side::base ? "base" : "head", median_json(base), median_json(head),
          html_text(failures)};
}

HtmlJson subject_json(const Subject& subject, Answer answer, const std::string& reason) {
  return {{"name", html_text(subject.name)},       {"metric", html_text(subject.metric)},
          {"kernel", html_text(subject.kernel)},   {"size", html_text(subject.size)},
          {"backend", html_text(subject.backend)}, {"unit", html_text(subject.unit)},
          {"answer", to_string(answer)},           {"reason", html_text(reason)}};
}

const char* name_of(Role role) {
  switch (role) {
    case Role::measured:
      return "measured";
    case Role::same:
      return "same";
    case Role::slowed:
      return "slowed";
  }
  return "";
}

// The median of the medians of one side's processes.
HtmlJson middle(const std::vector<PairRecord>& pairs, ProcessRun Pair::*side) {
  std::vector<double> medians;
  for (const PairRecord& record : pairs)
    if (const ProcessRun& process = record.pair.*side;
        process.failure.empty() && !process.samples.empty())
      medians.push_back(median(process.samples));
  if (medians.empty()) return nullptr;
  return html_time(median(medians));
}

HtmlJson benchmark_json(const BenchmarkResult& benchmark) {
  const Finding& finding = benchmark.finding;
  HtmlJson json = subject_json(benchmark.subject, finding.answer, finding.reason);
  json["role"] = name_of(benchmark.role);
  json["settled"] = benchmark.is_settled;
  json["change"] = number(finding.change);
  json["at_least"] = number(finding.at_least);
  json["at_most"] = number(finding.at_most);
  json["detectable"] = number(finding.detectable);
  json["screen_pairs"] = finding.screen_pairs;
  json["confirmation_pairs"] = finding.confirmation_pairs;
  json["base_median"] = middle(benchmark.pairs, &Pair::base);
  json["head_median"] = middle(benchmark.pairs, &Pair::head);
  json["pairs"] = json_list(benchmark.pairs, pair_json);
  return json;
}

HtmlJson count_json(const CountResult& counted) {
  HtmlJson json = subject_json(counted.subject, counted.finding.answer, counted.finding.reason);
  json["base"] = counted.base;
  json["head"] = counted.head;
  return json;
}

HtmlJson winner_json(const WinnerChange& change) {
  return {{"kernel", html_text(change.kernel)},       {"size", html_text(change.size)},
          {"base", html_text(change.base)},           {"head", html_text(change.head)},
          {"benchmark", html_text(change.benchmark)}, {"reason", html_text(change.reason)}};
}

HtmlJson renaming_json(const Renaming& renaming) {
  return {{"base", html_text(renaming.base)}, {"head", html_text(renaming.head)}};
}

}  // namespace

HtmlJson html_gate(const GateResult& gate, const std::string& file) {
  return {{"file", html_text(file)},
          {"started", html_text(gate.started)},
          {"adapter", html_text(gate.adapter)},
          {"backend", html_text(gate.backend)},
          {"seed", gate.seed},
          {"settings",
           {{"delta", gate.settings.delta},
            {"tolerance", gate.settings.tolerance},
            {"stated_power", gate.settings.stated_power},
            {"planted", gate.settings.planted}}},
          {"environment", facts(gate.environment)},
          {"pinning", html_text(gate.pinning)},
          {"wall_ns", gate.wall_ns},
          {"complete", gate.is_complete},
          {"answer", to_string(gate.answer)},
          {"reason", html_text(gate.reason)},
          {"detectable", number(gate.detectable())},
          {"base", side_json(gate.base)},
          {"head", side_json(gate.head)},
          {"benchmarks", json_list(gate.benchmarks, benchmark_json)},
          {"counts", json_list(gate.counts, count_json)},
          {"winner_changes", json_list(gate.winner_changes, winner_json)},
          {"added", texts(gate.added)},
          {"removed", texts(gate.removed)},
          {"renamed", json_list(gate.renamed, renaming_json)}};
}

}  // namespace tunecheck
