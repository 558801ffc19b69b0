#include "gate/measure/run_session.hpp"

#include <algorithm>
#include <utility>

#include "core/text.hpp"

namespace tunecheck::gate {
namespace {

std::string manner_text(const CanaryOf& canary) {
  return canary.slowed_by.empty() ? "" : ", slowed down by: " + canary.slowed_by;
}

bool is_same(const BenchmarkResult& benchmark, const Runnable& runnable) {
  return benchmark.subject.name == runnable.subject.name && benchmark.role == runnable.role;
}

// Half of its pairs would be slowed down in one way and half in another, or of two benchmarks.
Result<void> check_canary(const BenchmarkResult& benchmark, const Runnable& runnable) {
  const CanaryOf& was = benchmark.canary_of;
  const CanaryOf& is = runnable.canary_of;
  if (was == is || was == CanaryOf()) return {};
  return failure(ErrorKind::bad_input,
                 "the session cannot be resumed: its \"{}\" was of \"{}\"{}, and now it is of "
                 "\"{}\"{}",
                 benchmark.subject.name, was.benchmark, manner_text(was), is.benchmark,
                 manner_text(is));
}

// The pairs of each benchmark that an interrupted session left, none of a new one.
Result<std::vector<std::vector<PairRecord>>> earlier_pairs(const std::vector<Runnable>& runnables,
                                                           const GateResult& result) {
  std::vector<std::vector<PairRecord>> pairs(runnables.size());
  if (result.benchmarks.empty()) return pairs;
  if (result.benchmarks.size() != runnables.size())
    return failure(ErrorKind::bad_input,
                   "the session cannot be resumed: it had {}, and now it has {}",
                   counted(result.benchmarks.size(), "benchmark"), runnables.size());
  for (std::size_t i = 0; i < runnables.size(); ++i) {
    if (!is_same(result.benchmarks[i], runnables[i]))
      return failure(ErrorKind::bad_input,
                     "the session cannot be resumed: it measured \"{}\" where there is \"{}\" now",
                     result.benchmarks[i].subject.name, runnables[i].subject.name);
    TUNECHECK_CHECK(check_canary(result.benchmarks[i], runnables[i]));
    pairs[i] = result.benchmarks[i].pairs;
  }
  return pairs;
}

Result<PairRecord> run_pair(const Runnable& runnable, Side first, std::size_t number) {
  PairRecord record{first, {}};
  const Side second = first == Side::base ? Side::head : Side::base;
  for (const Side side : {first, second}) {
    const bool is_slowed = runnable.role == Role::slowed && side == Side::head;
    TUNECHECK_TRY(ProcessRun run, runnable.run(side, number, is_slowed));
    (side == Side::base ? record.pair.base : record.pair.head) = std::move(run);
  }
  return record;
}

void keep_findings(const Session& session, GateResult& result) {
  for (std::size_t i = 0; i < result.benchmarks.size(); ++i) {
    const Comparison& comparison = session.comparison(i);
    result.benchmarks[i].is_settled = comparison.stage() == Stage::settled;
    result.benchmarks[i].finding = comparison.finding();
  }
}

// Counts have no part in what canaries say, but not even they make an untrusted session trusted.
void conclude(const Session& session, GateResult& result) {
  const Conclusion conclusion = session.conclusion();
  std::vector<Answer> answers = {conclusion.answer};
  for (const CountResult& count : result.counts)
    answers.push_back(count.finding.answer);
  result.answer = joined(answers);
  result.reason = conclusion.reason;
  result.is_complete = true;
}

}  // namespace

Runnable of_base_alone(Runnable of) {
  of.run = [run = std::move(of.run)](Side, std::size_t number, bool is_slowed) {
    return run(Side::base, number, is_slowed);
  };
  return of;
}

Runnable same_canary(Runnable of, const std::string& name) {
  of.role = Role::same;
  of.canary_of = {of.subject.name, ""};
  of.subject.name = "canary/same" + name;
  return of;
}

Runnable slowed_canary(const Runnable& otherwise, const std::vector<Runnable>& runnables) {
  const auto found = std::find_if(runnables.begin(), runnables.end(),
                                  [](const Runnable& each) { return !each.slowed_by.empty(); });
  Runnable canary = of_base_alone(found == runnables.end() ? otherwise : *found);
  if (canary.as_slowed_canary)
    canary.run = [run = canary.as_slowed_canary](Side, std::size_t number, bool is_slowed) {
      return run(number, is_slowed);
    };
  canary.role = Role::slowed;
  canary.canary_of = {canary.subject.name, canary.slowed_by};
  canary.subject.name = "canary/slowed";
  return canary;
}

Result<void> run_session(const std::vector<Runnable>& runnables, const SessionHooks& hooks,
                         GateResult& result) {
  TUNECHECK_TRY(const auto earlier, earlier_pairs(runnables, result));
  std::vector<Benchmark> benchmarks;
  result.benchmarks.clear();
  for (const Runnable& runnable : runnables) {
    benchmarks.push_back({runnable.subject.name, runnable.role});
    result.benchmarks.push_back(
        {runnable.subject, runnable.role, runnable.canary_of, false, {}, {}});
  }
  Session session(benchmarks, result.settings, result.seed);
  const auto report = [&]() -> Result<void> {
    keep_findings(session, result);
    return hooks.so_far ? hooks.so_far(result) : Result<void>();
  };
  TUNECHECK_CHECK(report());
  while (const auto step = session.next()) {
    std::vector<PairRecord>& pairs = result.benchmarks[step->benchmark].pairs;
    const std::vector<PairRecord>& before = earlier[step->benchmark];
    if (pairs.size() < before.size()) {
      pairs.push_back(before[pairs.size()]);
      session.add(pairs.back().pair);
      continue;
    }
    TUNECHECK_TRY(PairRecord record,
                  run_pair(runnables[step->benchmark], step->first, pairs.size()));
    session.add(record.pair);
    pairs.push_back(std::move(record));
    if (hooks.count) hooks.count(result);
    TUNECHECK_CHECK(report());
  }
  keep_findings(session, result);
  if (hooks.count) hooks.count(result);
  conclude(session, result);
  return hooks.so_far ? hooks.so_far(result) : Result<void>();
}

}  // namespace tunecheck::gate
