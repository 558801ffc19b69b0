// A tuning of very many configs on the simulated device: what the tuner's own code costs.
#include <chrono>

#include <benchmark/benchmark.h>

#include "backend/sim/sim_backend.hpp"
#include "bench_kernel.hpp"

namespace tunecheck::bench {
namespace {

constexpr std::int64_t few_configs = 1'000;
constexpr std::int64_t many_configs = 100'000;

// One parameter; the best value lies in the middle.
TuneRequest request_with(std::int64_t configs) {
  TuneRequest request;
  KernelDefinition& kernel = request.kernel;
  kernel.name = "many";
  TensorParameter y;
  y.name = "y";
  y.dtypes = {DType::f32};
  y.shape = {"16"};
  y.access = Access::write;
  kernel.tensors = {y};
  kernel.tolerance.common = {1e-6, 1e-6};
  kernel.sim.emplace();
  kernel.sim->cost = fmt::format("20000 + abs(step - {})", configs / 2);
  kernel.sim->noise = "0.01";
  std::vector<std::int64_t> values;
  for (std::int64_t i = 0; i < configs; ++i)
    values.push_back(i);
  request.space.parameters = {{"step", values}};
  return request;
}

double tune_ns(std::int64_t configs) {
  std::array<float, 16> values{};
  const std::array<TensorView, 1> views = {
      TensorView{reinterpret_cast<std::byte*>(values.data()), DType::f32,
                 Layout::contiguous(std::vector<std::int64_t>{16})}};
  const SimBackend device;
  Tuner tuner(device, TunerOptions());
  const TuneRequest request = request_with(configs);
  const auto start = std::chrono::steady_clock::now();
  auto bound = tuner.bind(request);
  if (!bound) throw std::runtime_error(bound.error().text());
  const auto report = bound->call({views, {}});
  if (!report) throw std::runtime_error(report.error().text());
  if (report->trials.size() != static_cast<std::size_t>(configs))
    throw std::runtime_error("not every config was tried");
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

void tuning_of_100000_configs_against_1000(benchmark::State& state) {
  double few_ns = 0;
  double many_ns = 0;
  for (auto _ : state) {
    few_ns += tune_ns(few_configs);
    many_ns += tune_ns(many_configs);
  }
  const auto times = static_cast<double>(state.iterations());
  state.counters["seconds"] = many_ns / times / 1e9;
  state.counters["a_config_us"] = many_ns / times / static_cast<double>(many_configs) / 1e3;
  state.counters["ratio_per_config"] =
      many_ns / static_cast<double>(many_configs) / (few_ns / static_cast<double>(few_configs));
}
BENCHMARK(tuning_of_100000_configs_against_1000)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tunecheck::bench
