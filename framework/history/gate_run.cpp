#include "history/gate_run.hpp"

#include <set>

#include "core/digest.hpp"

namespace tunecheck::history {
namespace {

// What times do not depend on: a name, and the number of a system that is mended every few weeks.
const std::set<std::string>& names_only() {
  static const std::set<std::string> names = {"host", "system"};
  return names;
}

Fingerprint machine_of(const gate::GateResult& session) {
  Fingerprint fingerprint = {{"backend", session.backend}};
  for (const auto& [fact, value] : session.environment)
    if (!names_only().contains(fact) && !(session.backend == "cpu" && fact.starts_with("gpu")))
      fingerprint[fact] = value;
  return fingerprint;
}

// The gate digests the folder of each kernel: another source is another amount of work.
Fingerprint fingerprint_of(Fingerprint fingerprint, const gate::Subject& subject,
                           const gate::SideResult& side) {
  if (const auto sources = side.environment.find("kernel " + subject.kernel);
      sources != side.environment.end())
    fingerprint["kernel_sources"] = sources->second;
  return fingerprint;
}

std::vector<double> medians_of(const gate::BenchmarkResult& benchmark, gate::Side side) {
  std::vector<double> medians;
  for (const gate::PairRecord& record : benchmark.pairs) {
    const gate::ProcessRun& run = side == gate::Side::base ? record.pair.base : record.pair.head;
    if (run.failure.empty() && !run.samples.empty()) medians.push_back(gate::median(run.samples));
  }
  return medians;
}

// These measure the configs of both sides in one build: they belong to neither side.
std::set<std::string> costs_of_winner_changes(const gate::GateResult& session) {
  std::set<std::string> names;
  for (const gate::WinnerChange& change : session.winner_changes)
    names.insert(change.benchmark);
  return names;
}

}  // namespace

Result<MeasuredRun> run_of(const gate::GateResult& session, gate::Side side) {
  if (!session.is_complete) return failure("expected a session that came to its end");
  if (session.answer == gate::Answer::invalid)
    return failure("expected a session that can be trusted: {}", session.reason);
  const gate::SideResult& measured = side == gate::Side::base ? session.base : session.head;
  MeasuredRun run;
  run.suite = session.adapter.empty() ? session.kind
                                      : fmt::format("{} on {}", session.adapter, session.backend);
  run.started = session.started;
  run.revision = measured.commit;
  run.tuner = measured.tuner;
  run.tunecheck_version = session.tunecheck_version;
  run.environment = session.environment;
  run.digest = key_digest(fmt::format("gate {} {} {} {} {} {}", run.suite, session.started,
                                      session.seed, session.wall_ns, measured.given,
                                      side == gate::Side::base ? "base" : "head"));
  const Fingerprint machine = machine_of(session);
  const std::set<std::string> costs = costs_of_winner_changes(session);
  for (const gate::BenchmarkResult& benchmark : session.benchmarks) {
    if (benchmark.role != gate::Role::measured || costs.contains(benchmark.subject.name)) continue;
    if (std::vector<double> medians = medians_of(benchmark, side); !medians.empty())
      run.sets.push_back({benchmark.subject.name, Kind::time, benchmark.subject.unit,
                          fingerprint_of(machine, benchmark.subject, measured),
                          std::move(medians)});
  }
  for (const gate::CountResult& count : session.counts)
    if (const auto& values = side == gate::Side::base ? count.base : count.head; !values.empty())
      run.sets.push_back({count.subject.name,
                          Kind::count,
                          count.subject.unit,
                          fingerprint_of(machine, count.subject, measured),
                          {values.begin(), values.end()}});
  return run;
}

}  // namespace tunecheck::history
