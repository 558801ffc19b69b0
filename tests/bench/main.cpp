// tunecheck-bench: what the reference tuner costs. Each benchmark prints its ratio.
#include <string_view>

#include <benchmark/benchmark.h>

#include "bench_kernel.hpp"

int main(int argc, char** argv) {
  // The processes that reload_bench.cpp starts.
  if (argc == 3 && std::string_view(argv[1]) == "nothing") return 0;
  if (argc == 3 && std::string_view(argv[1]) == "reload")
    return tunecheck::bench::reload_once(argv[2]);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
