// html_gate() of html_parts.hpp: a session without its samples, each pair with its medians.
#include <cmath>

#include "reports/html/html_parts.hpp"
#include "reports/stored/json_document.hpp"

namespace tunecheck {
namespace {

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

HtmlJson html_side(const gate::SideResult& side) {
  return {{"given", html_text(side.given)},
          {"folder", html_text(side.folder)},
          {"commit", html_text(side.commit)},
          {"tuner", html_text(side.tuner)},
          {"environment", facts(side.environment)}};
}

HtmlJson html_median(const gate::ProcessRun& process) {
  if (!process.failure.empty() || process.samples.empty()) return nullptr;
  return html_time(gate::median(process.samples));
}

HtmlJson html_pair(const gate::PairRecord& record) {
  const auto& [base, head] = record.pair;
  std::string failures;
  if (!base.failure.empty()) failures = "base: " + base.failure;
  if (!head.failure.empty()) failures += (failures.empty() ? "head: " : "; head: ") + head.failure;
  return {record.first == gate::Side::base ? "base" : "head", html_median(base), html_median(head),
          html_text(failures)};
}

HtmlJson html_subject(const gate::Subject& subject, gate::Answer answer,
                      const std::string& reason) {
  return {{"name", html_text(subject.name)},       {"metric", html_text(subject.metric)},
          {"kernel", html_text(subject.kernel)},   {"size", html_text(subject.size)},
          {"backend", html_text(subject.backend)}, {"unit", html_text(subject.unit)},
          {"answer", to_string(answer)},           {"reason", html_text(reason)}};
}

const char* role_name(gate::Role role) {
  switch (role) {
    case gate::Role::measured:
      return "measured";
    case gate::Role::same:
      return "same";
    case gate::Role::slowed:
      return "slowed";
  }
  return "";
}

// The median of the medians of one side's processes.
HtmlJson middle(const std::vector<gate::PairRecord>& pairs, gate::ProcessRun gate::Pair::*side) {
  std::vector<double> medians;
  for (const gate::PairRecord& record : pairs)
    if (const gate::ProcessRun& process = record.pair.*side;
        process.failure.empty() && !process.samples.empty())
      medians.push_back(gate::median(process.samples));
  if (medians.empty()) return nullptr;
  return html_time(gate::median(medians));
}

HtmlJson html_benchmark(const gate::BenchmarkResult& benchmark) {
  const gate::Finding& finding = benchmark.finding;
  HtmlJson json = html_subject(benchmark.subject, finding.answer, finding.reason);
  json["role"] = role_name(benchmark.role);
  json["settled"] = benchmark.is_settled;
  json["change"] = number(finding.change);
  json["at_least"] = number(finding.at_least);
  json["at_most"] = number(finding.at_most);
  json["detectable"] = number(finding.detectable);
  json["screen_pairs"] = finding.screen_pairs;
  json["confirmation_pairs"] = finding.confirmation_pairs;
  json["base_median"] = middle(benchmark.pairs, &gate::Pair::base);
  json["head_median"] = middle(benchmark.pairs, &gate::Pair::head);
  json["pairs"] = json_list(benchmark.pairs, html_pair);
  return json;
}

HtmlJson html_count(const gate::CountResult& counted) {
  HtmlJson json = html_subject(counted.subject, counted.finding.answer, counted.finding.reason);
  json["base"] = counted.base;
  json["head"] = counted.head;
  return json;
}

HtmlJson html_winner(const gate::WinnerChange& change) {
  return {{"kernel", html_text(change.kernel)},       {"size", html_text(change.size)},
          {"base", html_text(change.base)},           {"head", html_text(change.head)},
          {"benchmark", html_text(change.benchmark)}, {"reason", html_text(change.reason)}};
}

HtmlJson html_renaming(const gate::Renaming& renaming) {
  return {{"base", html_text(renaming.base)}, {"head", html_text(renaming.head)}};
}

}  // namespace

HtmlJson html_gate(const gate::GateResult& gate, const std::string& file) {
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
          {"base", html_side(gate.base)},
          {"head", html_side(gate.head)},
          {"benchmarks", json_list(gate.benchmarks, html_benchmark)},
          {"counts", json_list(gate.counts, html_count)},
          {"winner_changes", json_list(gate.winner_changes, html_winner)},
          {"added", texts(gate.added)},
          {"removed", texts(gate.removed)},
          {"renamed", json_list(gate.renamed, html_renaming)}};
}

}  // namespace tunecheck
