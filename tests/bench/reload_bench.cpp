// A fresh process that loads its winner from disk, against one that does nothing.
#include <benchmark/benchmark.h>

#include "bench_kernel.hpp"
#include "core/command.hpp"
#include "core/resources.hpp"

namespace tunecheck::bench {
namespace {

void reload_in_a_fresh_process_against_an_empty_one(benchmark::State& state) {
  const TemporaryFolder folder = TemporaryFolder::create("tunecheck-bench").value();
  const CpuBackend backend;
  const BenchKernel kernel(folder.path());
  TunerOptions options;
  options.cache_folder = folder.path() / "cache";
  Tuner tuner(backend, options);
  if (!tuner.bind(kernel.request()).value().call(kernel.arguments()))
    return state.SkipWithError("the kernel could not be tuned");

  const auto run_ms = [&](const std::string& what) {
    CommandOptions command;
    command.arguments = {(program_folder() / "tunecheck-bench").string(), what, folder.path()};
    const auto run = run_command(command);
    if (!run || !run->end.success()) state.SkipWithError("the process failed");
    return run ? static_cast<double>(run->end.wall_ns) / 1e6 : 0;
  };
  std::vector<double> empty_ms;
  std::vector<double> reload_ms;
  for (auto _ : state) {
    empty_ms.push_back(run_ms("nothing"));
    reload_ms.push_back(run_ms("reload"));
  }
  state.counters["empty_ms"] = median_of(empty_ms);
  state.counters["reload_ms"] = median_of(reload_ms);
  state.counters["ratio"] = median_of(reload_ms) / median_of(empty_ms);
}
BENCHMARK(reload_in_a_fresh_process_against_an_empty_one)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tunecheck::bench
