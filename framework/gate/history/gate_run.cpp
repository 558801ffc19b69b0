#include "gate/history/gate_run.hpp"

#include <set>

#include "core/device_kinds.hpp"
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
    if (!names_only().contains(fact) &&
        !(session.backend == name_of(DeviceKind::cpu) && fact.starts_with("gpu")))
      fingerprint[fact] = value;
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

// These measure what both sides chose with the kernel of one of them, so that the times are neither
// side's. Sessions of earlier versions have winner_change.
bool is_of_a_side(const gate::Subject& subject) {
  return subject.metric != "winner_choice" && subject.metric != "winner_change";
}

const gate::SideResult& of(const gate::GateResult& session, gate::Side side) {
  return side == gate::Side::base ? session.base : session.head;
}

}  // namespace

std::string suite_of(const gate::GateResult& session) {
  return session.adapter.empty() ? session.kind
                                 : fmt::format("{} on {}", session.adapter, session.backend);
}

// The gate digests the folder of each kernel: another source is another amount of work.
Fingerprint fingerprint_of(const gate::GateResult& session, gate::Side side,
                           const std::string& kernel) {
  Fingerprint fingerprint = machine_of(session);
  const auto& facts = of(session, side).environment;
  if (const auto sources = facts.find("kernel " + kernel); sources != facts.end())
    fingerprint["kernel_sources"] = sources->second;
  return fingerprint;
}

std::vector<SampleSet> sample_sets_of(const gate::GateResult& session, gate::Side side) {
  std::vector<SampleSet> sets;
  const auto add = [&](const gate::Subject& subject, Kind kind,
                       const std::vector<double>& processes) {
    if (!processes.empty())
      sets.push_back({subject.name, kind, subject.unit,
                      fingerprint_of(session, side, subject.kernel), processes});
  };
  for (const gate::BenchmarkResult& benchmark : session.benchmarks)
    if (benchmark.role == gate::Role::measured && is_of_a_side(benchmark.subject))
      add(benchmark.subject, Kind::time, medians_of(benchmark, side));
  for (const gate::CountResult& count : session.counts) {
    const auto& values = side == gate::Side::base ? count.base : count.head;
    add(count.subject, Kind::count, {values.begin(), values.end()});
  }
  return sets;
}

Result<MeasuredRun> run_of(const gate::GateResult& session, gate::Side side) {
  if (!session.is_complete)
    return failure(ErrorKind::bad_input, "expected a session that was finished");
  if (session.answer == gate::Answer::invalid)
    return failure(ErrorKind::bad_input, "expected a session that can be trusted: {}",
                   session.reason);
  if (session.kind == "stored" && side == gate::Side::base)
    return failure(ErrorKind::bad_input,
                   "expected measurements: the base of this session is a stored run");
  const gate::SideResult& measured = of(session, side);
  MeasuredRun run;
  run.suite = suite_of(session);
  run.started = session.started;
  run.revision = measured.commit;
  run.tuner = measured.tuner;
  run.tunecheck_version = session.tunecheck_version;
  run.environment = session.environment;
  run.digest = key_digest(fmt::format("gate {} {} {} {} {} {}", run.suite, session.started,
                                      session.seed, session.wall_ns, measured.given,
                                      side == gate::Side::base ? "base" : "head"));
  run.sets = sample_sets_of(session, side);
  return run;
}

}  // namespace tunecheck::history
