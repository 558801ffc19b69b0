// A tuned call on a hit against launching the module directly.
#include <chrono>

#include <benchmark/benchmark.h>

#include "bench_kernel.hpp"

namespace tunecheck::bench {
namespace {

double nanoseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

// Both alternate within one iteration, so that whatever slows the machine slows both.
void tuned_call_against_direct_launch(benchmark::State& state) {
  constexpr int batch = 2000;
  const TemporaryFolder folder = TemporaryFolder::create("tunecheck-bench").value();
  const CpuBackend backend;
  const BenchKernel kernel(folder.path());
  Tuner tuner(backend, TunerOptions());
  TunedKernel tuned = tuner.bind(kernel.request()).value();
  const LaunchArguments arguments = kernel.arguments();
  if (!tuned.call(arguments)) return state.SkipWithError("the kernel could not be tuned");

  const TuneRequest request = kernel.request();
  const std::vector<CompileRequest> requests = {{&request.kernel,
                                                 {DType::f32, DType::f32},
                                                 {{"block", 1}},
                                                 backend.resolve_arch("").value(),
                                                 {}}};
  const auto artifact = backend.compile_all(requests, 1);
  const auto module = backend.load(artifact.at(0).value()).value();
  std::vector<double> direct_ns;
  std::vector<double> tuned_ns;
  for (auto _ : state) {
    auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < batch; ++i)
      benchmark::DoNotOptimize(module->launch(arguments));
    direct_ns.push_back(nanoseconds_since(start) / batch);
    start = std::chrono::steady_clock::now();
    for (int i = 0; i < batch; ++i)
      benchmark::DoNotOptimize(tuned.call(arguments));
    tuned_ns.push_back(nanoseconds_since(start) / batch);
  }
  const double direct = median_of(direct_ns);
  const double through_tuner = median_of(tuned_ns);
  state.counters["direct_ns"] = direct;
  state.counters["tuned_ns"] = through_tuner;
  state.counters["difference_ns"] = through_tuner - direct;
  state.counters["ratio"] = through_tuner / direct;
}
BENCHMARK(tuned_call_against_direct_launch);

}  // namespace
}  // namespace tunecheck::bench
