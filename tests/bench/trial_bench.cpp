// What it costs to keep a trial from harming the tuner.
#include <chrono>

#include <benchmark/benchmark.h>

#include "bench_kernel.hpp"
#include "tuner/trial/trial_runner.hpp"

namespace tunecheck::bench {
namespace {

double run_ns(const TrialRunner& runner) {
  const TrialLimits limits{std::chrono::seconds(2), std::uint64_t{1} << 30};
  const auto start = std::chrono::steady_clock::now();
  const auto outcome = runner.run([](TrialRecord& record) { record.samples = 1; }, limits);
  if (!outcome || outcome->record.samples != 1) throw std::runtime_error("the trial did not run");
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

// A trial that does nothing, in a process of its own and in this one.
void trial_in_a_process_of_its_own(benchmark::State& state) {
  // A tuner's process has memory of its own, which a fork must prepare to share.
  const std::vector<std::byte> memory(static_cast<std::size_t>(state.range(0)) << 20, std::byte{1});
  std::vector<double> isolated_ns;
  std::vector<double> direct_ns;
  for (auto _ : state) {
    isolated_ns.push_back(run_ns(IsolatedTrialRunner()));
    direct_ns.push_back(run_ns(InProcessTrialRunner()));
  }
  benchmark::DoNotOptimize(memory.data());
  constexpr double usual_trial_ns = 4e6;  // TunerOptions::measuring_time
  state.counters["isolated_us"] = median_of(isolated_ns) / 1e3;
  state.counters["here_us"] = median_of(direct_ns) / 1e3;
  state.counters["share_of_a_trial"] = median_of(isolated_ns) / usual_trial_ns;
}
BENCHMARK(trial_in_a_process_of_its_own)->ArgName("process_MiB")->Arg(1)->Arg(256);

}  // namespace
}  // namespace tunecheck::bench
