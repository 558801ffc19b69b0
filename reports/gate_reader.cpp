// read_gate() of gate_json.hpp.
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/files.hpp"
#include "reports/gate_json.hpp"

namespace tunecheck {
namespace {

using Json = nlohmann::json;
using namespace gate;

constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

const Json& at(const Json& json, const char* name) {
  if (!json.is_object() || !json.contains(name))
    throw std::runtime_error(fmt::format("there is no \"{}\"", name));
  return json[name];
}

template <class Type>
void read(const Json& json, const char* name, Type& into) {
  const Json& value = at(json, name);
  try {
    into = value.get<Type>();
  } catch (const Json::exception&) {
    throw std::runtime_error(fmt::format("\"{}\" cannot be {}", name, value.type_name()));
  }
}

// What JSON cannot hold is null there.
double number_or(const Json& json, double otherwise) {
  return json.is_null() ? otherwise : json.get<double>();
}

Answer answer_from(const Json& json) {
  const auto name = json.get<std::string>();
  for (const Answer answer :
       {Answer::pass, Answer::improved, Answer::inconclusive, Answer::regression, Answer::invalid})
    if (to_string(answer) == name) return answer;
  throw std::runtime_error(fmt::format("there is no answer \"{}\"", name));
}

Settings settings_from(const Json& json) {
  Settings settings;
  read(json, "delta", settings.delta);
  read(json, "tolerance", settings.tolerance);
  read(json, "alpha", settings.alpha);
  read(json, "pass_alpha", settings.pass_alpha);
  read(json, "planned_power", settings.planned_power);
  read(json, "stated_power", settings.stated_power);
  read(json, "planted", settings.planted);
  read(json, "screen_pairs", settings.screen_pairs);
  read(json, "least_pairs", settings.least_pairs);
  read(json, "most_pairs", settings.most_pairs);
  return settings;
}

SideResult side_from(const Json& json) {
  SideResult side;
  read(json, "given", side.given);
  read(json, "folder", side.folder);
  read(json, "commit", side.commit);
  read(json, "tuner", side.tuner);
  read(json, "environment", side.environment);
  return side;
}

Subject subject_from(const Json& json) {
  Subject subject;
  read(json, "name", subject.name);
  read(json, "metric", subject.metric);
  read(json, "kernel", subject.kernel);
  read(json, "size", subject.size);
  read(json, "backend", subject.backend);
  read(json, "unit", subject.unit);
  return subject;
}

ProcessRun process_from(const Json& json) {
  ProcessRun run;
  read(json, "failure", run.failure);
  for (const Json& sample : at(json, "samples"))
    run.samples.push_back(number_or(sample, none));
  return run;
}

BenchmarkResult benchmark_from(const Json& json) {
  BenchmarkResult benchmark;
  benchmark.subject = subject_from(json);
  const auto role = at(json, "role").get<std::string>();
  benchmark.role = role == "same" ? Role::same : role == "slowed" ? Role::slowed : Role::measured;
  read(json, "settled", benchmark.is_settled);
  Finding& finding = benchmark.finding;
  finding.answer = answer_from(at(json, "answer"));
  read(json, "reason", finding.reason);
  finding.change = number_or(at(json, "change"), none);
  finding.at_least = number_or(at(json, "at_least"), -infinity);
  finding.at_most = number_or(at(json, "at_most"), infinity);
  finding.detectable = number_or(at(json, "detectable"), infinity);
  read(json, "screen_pairs", finding.screen_pairs);
  read(json, "confirmation_pairs", finding.confirmation_pairs);
  for (const Json& pair : at(json, "pairs"))
    benchmark.pairs.push_back({at(pair, "first") == "base" ? Side::base : Side::head,
                               {process_from(at(pair, "base")), process_from(at(pair, "head"))}});
  return benchmark;
}

CountResult count_from(const Json& json) {
  CountResult count;
  count.subject = subject_from(json);
  count.finding.answer = answer_from(at(json, "answer"));
  read(json, "reason", count.finding.reason);
  read(json, "base", count.base);
  read(json, "head", count.head);
  return count;
}

WinnerChange change_from(const Json& json) {
  WinnerChange change;
  read(json, "kernel", change.kernel);
  read(json, "size", change.size);
  read(json, "backend", change.backend);
  read(json, "base", change.base);
  read(json, "head", change.head);
  read(json, "base_winners", change.base_winners);
  read(json, "head_winners", change.head_winners);
  read(json, "benchmark", change.benchmark);
  read(json, "reason", change.reason);
  return change;
}

GateResult result_from(const Json& json) {
  GateResult result;
  read(json, "tunecheck_version", result.tunecheck_version);
  read(json, "started", result.started);
  read(json, "kind", result.kind);
  read(json, "adapter", result.adapter);
  read(json, "backend", result.backend);
  read(json, "seed", result.seed);
  result.settings = settings_from(at(json, "settings"));
  read(json, "environment", result.environment);
  read(json, "pinning", result.pinning);
  read(json, "wall_ns", result.wall_ns);
  read(json, "complete", result.is_complete);
  result.answer = answer_from(at(json, "answer"));
  read(json, "reason", result.reason);
  read(json, "fail_on_inconclusive", result.fails_on_inconclusive);
  result.base = side_from(at(json, "base"));
  result.head = side_from(at(json, "head"));
  for (const Json& benchmark : at(json, "benchmarks"))
    result.benchmarks.push_back(benchmark_from(benchmark));
  for (const Json& count : at(json, "counts"))
    result.counts.push_back(count_from(count));
  for (const Json& change : at(json, "winner_changes"))
    result.winner_changes.push_back(change_from(change));
  read(json, "added", result.added);
  read(json, "removed", result.removed);
  for (const Json& renaming : at(json, "renamed"))
    result.renamed.push_back(
        {at(renaming, "base").get<std::string>(), at(renaming, "head").get<std::string>()});
  for (const Json& each : at(json, "not_measured"))
    result.not_measured.push_back(
        {at(each, "name").get<std::string>(), at(each, "reason").get<std::string>()});
  return result;
}

std::string major_of(const std::string& version) {
  return version.substr(0, version.find('.'));
}

}  // namespace

Result<GateResult> read_gate(const std::filesystem::path& file) {
  TUNECHECK_TRY(const std::string text, read_text_file(file));
  const auto wrong = [&](const std::string& message) {
    return failure(Error{message, file.string(), 0, {}});
  };
  try {
    const Json json = Json::parse(text);
    if (!json.is_object() || !json.contains("schema") || !json["schema"].is_string())
      return wrong("expected what `tunecheck gate` wrote, with a \"schema\"");
    const auto schema = json["schema"].get<std::string>();
    if (major_of(schema) != major_of(std::string(gate_schema_version)) || !json.contains("kind"))
      return wrong(fmt::format("expected a gate.json of schema {}, found schema {}",
                               gate_schema_version, schema));
    return result_from(json);
  } catch (const std::exception& error) {
    return wrong(fmt::format("expected what `tunecheck gate` wrote: {}", error.what()));
  }
}

}  // namespace tunecheck
