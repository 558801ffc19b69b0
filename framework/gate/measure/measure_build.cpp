#include "gate/measure/measure_build.hpp"

#include <algorithm>
#include <memory>

#include "core/text.hpp"
#include "gate/rule/drawn.hpp"

namespace tunecheck::gate {
namespace {

struct BuiltCase {
  CaseName name;
  std::unique_ptr<KernelSide> side;
};

// Measures one build by itself, for a history. run() is called once: it tunes every case, and then
// runs one process of each benchmark a round, in an order that is drawn anew for each round. The
// result is filled in as processes end, and so_far sees it after each: after an error or a kill it
// holds whole processes, only fewer of them. A benchmark whose process failed is not run again.
class Measuring {
 public:
  Measuring(const MeasureOptions& options, GateResult& result)
      : m_options(options), m_result(result), m_random(result.seed) {}

  Result<void> run() {
    TUNECHECK_TRY(m_bench, make_bench(m_options.out, m_result));
    for (const CaseName& name : m_options.cases)
      TUNECHECK_CHECK(prepare(name));
    say("measuring " + counted(m_result.benchmarks.size(), "benchmark"));
    for (std::size_t number = 0; number < m_options.processes; ++number)
      TUNECHECK_CHECK(run_round(number));
    count();
    std::error_code ignored;
    std::filesystem::remove_all(m_bench.work, ignored);
    return {};
  }

 private:
  void say(const std::string& text) const {
    if (m_options.progress) m_options.progress(text);
  }

  Result<void> prepare(const CaseName& name) {
    say(fmt::format("tuning {} at {}", name.kernel, name.size));
    BuiltCase& each = m_cases.emplace_back(BuiltCase{name, nullptr});
    TUNECHECK_TRY(each.side, KernelSide::create(m_bench, m_options.build, name.kernel, name.size,
                                                name.kernel + "." + name.size + ".head"));
    std::string failure;
    for (std::size_t i = 0; i < m_options.tunings && failure.empty(); ++i) {
      TUNECHECK_TRY(failure, each.side->tune());
    }
    if (failure.empty()) m_result.head.tuner = each.side->tunings().front().tuner;
    add_benchmarks(m_cases.size() - 1, failure);
    return {};
  }

  void add_benchmarks(std::size_t number, const std::string& failure) {
    const BuiltCase& each = m_cases[number];
    for (const Metric& metric : metrics()) {
      BenchmarkResult benchmark;
      benchmark.subject = subject_of(each.name, metric.name, "ns");
      if (!m_options.is_wanted(benchmark.subject.name)) continue;
      const std::string reason = failure.empty() ? why_not(*each.side, metric.name) : "";
      if (!reason.empty()) {
        m_result.not_measured.push_back({benchmark.subject.name, reason});
        continue;
      }
      if (!failure.empty()) benchmark.pairs = {{Side::head, {{}, {{}, failure}}}};
      m_result.benchmarks.push_back(std::move(benchmark));
      m_case_of.push_back(number);
    }
  }

  Result<void> run_round(std::size_t number) {
    std::vector<std::size_t> order(m_result.benchmarks.size());
    for (std::size_t i = 0; i < order.size(); ++i)
      order[i] = i;
    shuffle(m_random, order);
    for (const std::size_t i : order) {
      BenchmarkResult& benchmark = m_result.benchmarks[i];
      if (!benchmark.pairs.empty() && !benchmark.pairs.back().pair.head.failure.empty()) continue;
      TUNECHECK_TRY(ProcessRun run,
                    measure(*m_cases[m_case_of[i]].side, benchmark.subject.metric, number, false));
      benchmark.pairs.push_back({Side::head, {{}, std::move(run)}});
      count();
      if (m_options.so_far) TUNECHECK_CHECK(m_options.so_far(m_result));
    }
    return {};
  }

  void count() {
    m_result.counts.clear();
    for (const BuiltCase& each : m_cases)
      for (Counted& counted : counts_of(*each.side, each.name))
        if (!counted.counts.empty())
          m_result.counts.push_back(
              {std::move(counted.subject), {}, {}, std::move(counted.counts)});
  }

  const MeasureOptions& m_options;
  GateResult& m_result;
  Bench m_bench;
  std::vector<BuiltCase> m_cases;
  std::vector<std::size_t> m_case_of;  // of each benchmark
  boost::random::mt19937_64 m_random;
};

}  // namespace

Result<void> measure_build(const MeasureOptions& options, GateResult& result) {
  return Measuring(options, result).run();
}

}  // namespace tunecheck::gate
