#include "gate/history/stored_base.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "gate/history/baseline.hpp"
#include "gate/history/gate_run.hpp"
#include "gate/rule/name_changes.hpp"
#include "gate/rule/stored.hpp"

namespace tunecheck::history {
namespace {

using gate::Answer;
using gate::BenchmarkResult;
using gate::CountResult;
using gate::GateResult;

using Decides = std::function<std::string(const gate::Subject&)>;

// "rmsnorm/smoke/cpu/" of "rmsnorm/smoke/cpu/warm_start".
std::string case_of(const std::string& benchmark) {
  return benchmark.substr(0, benchmark.rfind('/') + 1);
}

// "rmsnorm" of "rmsnorm/smoke/cpu/warm_start".
std::string kernel_of(const std::string& benchmark) {
  return benchmark.substr(0, benchmark.find('/'));
}

std::vector<std::string> names_of(const std::vector<SampleSet>& sets) {
  std::vector<std::string> names;
  for (const SampleSet& set : sets)
    names.push_back(set.benchmark);
  return names;
}

// Why a process of the head gave nothing that can be compared; "" where all did.
gate::Finding failure_in(const BenchmarkResult& benchmark) {
  for (std::size_t i = 0; i < benchmark.pairs.size(); ++i) {
    const gate::ProcessRun& run = benchmark.pairs[i].pair.head;
    gate::Finding finding;
    if (!run.failure.empty()) {
      finding.answer = Answer::regression;
      finding.reason =
          fmt::format("the head failed in process {}, the base in none: {}", i + 1, run.failure);
      return finding;
    }
    if (const auto usable = gate::log_ratio({run, run}); !usable) {
      finding.answer = Answer::invalid;
      finding.reason = fmt::format("process {}: {}", i + 1, usable.error().message);
      return finding;
    }
  }
  return {};
}

// Decides a session in which only the head was measured, against the processes of a stored run.
// run() is called once: it puts the stored times into the session as the base's pairs, and a second
// time would put them there twice. It first checks that the two can be compared at all; that is the
// only error, and the session is then as it was. After it the session is complete.
class Judging {
 public:
  Judging(const StoredBase& base, const Decides& decides, GateResult& session)
      : m_base(base), m_decides(decides), m_session(session) {
    for (const SampleSet& set : base.sets)
      m_stored[set.benchmark] = &set;
  }

  Result<void> run() {
    const std::vector<SampleSet> present = sample_sets_of(m_session, gate::Side::head);
    TUNECHECK_CHECK(compared(m_base.sets, present));
    note_names();
    std::vector<Answer> answers;
    for (BenchmarkResult& benchmark : m_session.benchmarks)
      answers.push_back(judge(benchmark).answer);
    std::erase_if(m_session.counts,
                  [&](const CountResult& count) { return !m_stored.contains(count.subject.name); });
    for (CountResult& count : m_session.counts)
      answers.push_back(judge(count).answer);
    m_session.answer = gate::joined(answers);
    if (answers.empty())
      m_session.reason = "the head has no benchmark in common with " + m_base.given;
    m_session.is_complete = true;
    return {};
  }

 private:
  // What failed is not gone, and nothing is counted in a build that cannot tune.
  void note_names() {
    std::set<std::string> names, failed;
    for (const BenchmarkResult& benchmark : m_session.benchmarks) {
      names.insert(benchmark.subject.name);
      if (!failure_in(benchmark).reason.empty()) failed.insert(case_of(benchmark.subject.name));
    }
    for (const CountResult& count : m_session.counts)
      names.insert(count.subject.name);
    for (const SampleSet& set : m_base.sets)
      if (failed.contains(case_of(set.benchmark))) names.insert(set.benchmark);
    const std::vector<std::string> head(names.begin(), names.end());
    gate::note_names(names_of(m_base.sets), head, m_session);
    std::erase_if(m_session.benchmarks, [&](const BenchmarkResult& benchmark) {
      return !m_stored.contains(benchmark.subject.name) && failure_in(benchmark).reason.empty();
    });
  }

  const gate::Finding& judge(BenchmarkResult& benchmark) {
    benchmark.is_settled = true;
    benchmark.finding = failure_in(benchmark);
    const auto stored = m_stored.find(benchmark.subject.name);
    if (stored == m_stored.end()) return benchmark.finding;
    const std::vector<double>& before = stored->second->processes;
    if (benchmark.finding.reason.empty()) {
      std::vector<double> present;
      for (const gate::PairRecord& record : benchmark.pairs)
        present.push_back(gate::median(record.pair.head.samples));
      benchmark.finding = gate::compare_with_stored(before, present, m_session.settings,
                                                    m_decides(benchmark.subject));
    }
    std::vector<gate::PairRecord> records;
    for (const double time : before)
      records.push_back({gate::Side::base, {{{time}, ""}, {}}});
    benchmark.pairs.insert(benchmark.pairs.begin(), records.begin(), records.end());
    return benchmark.finding;
  }

  const gate::CountFinding& judge(CountResult& count) {
    for (const double value : m_stored.at(count.subject.name)->processes)
      count.base.push_back(static_cast<std::int64_t>(value));
    count.finding = gate::compare_counts(count.base, count.head);
    return count.finding;
  }

  const StoredBase& m_base;
  const Decides& m_decides;
  GateResult& m_session;
  std::map<std::string, const SampleSet*> m_stored;  // by benchmark
};

}  // namespace

Result<void> check_base(const StoredBase& base, const GateResult& session) {
  const auto wrong = [&](const std::string& message) {
    return failure(ErrorKind::bad_input, "{}: {}", base.given, message);
  };
  if (const std::string suite = suite_of(session); base.facts.suite != suite)
    return wrong(
        fmt::format("expected a run of \"{}\", found one of \"{}\"", suite, base.facts.suite));
  if (base.sets.empty()) return wrong("it has none of the benchmarks to measure");
  for (const SampleSet& set : base.sets) {
    if (const auto usable = check(set); !usable) return wrong(usable.error().message);
    if (set.kind == Kind::time && set.processes.size() < gate::least_stored)
      return wrong(
          fmt::format("benchmark \"{}\": expected at least {} processes, found {}: one process "
                      "does not tell how much the next one differs",
                      set.benchmark, gate::least_stored, set.processes.size()));
    const std::string kernel = kernel_of(set.benchmark);
    if (!session.head.environment.contains("kernel " + kernel)) continue;
    const Fingerprint present = fingerprint_of(session, gate::Side::head, kernel);
    if (const auto same = compatible(set.fingerprint, present); !same)
      return wrong(fmt::format("benchmark \"{}\": {}", set.benchmark, same.error().message));
  }
  return {};
}

Result<void> judge_by_base(const StoredBase& base, const Decides& decides, GateResult& session) {
  return Judging(base, decides, session).run();
}

}  // namespace tunecheck::history
