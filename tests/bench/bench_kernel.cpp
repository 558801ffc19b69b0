#include "bench_kernel.hpp"

#include <algorithm>

namespace tunecheck::bench {
namespace {

constexpr std::string_view kernel_info = R"(kernel
{
  name     nudge
  summary  "y = y + x in one element"
  sizes    { smoke { n 16 }  full { n 16 } }
  tensors
  {
    x { dtype f32  shape "n"  access read }
    y { dtype f32  shape "n"  access in_place }
  }
  restore_value  "y"
  space          { block "1 2" }
  default        { block 1 }
  cpu            { source cpu.cpp }
  reference      cpu.cpp
  tolerance      { relative 1e-6  absolute 0 }
}
)";

constexpr std::string_view kernel_source = R"(#include <tunecheck/cpu_kernel.h>
void nudge(tunecheck::Tensor<float> x, tunecheck::Tensor<float> y) { y(0) += x(0); }
TUNECHECK_KERNEL(nudge)
)";

}  // namespace

BenchKernel::BenchKernel(const std::filesystem::path& folder) : m_folder(folder) {
  must(write_file(folder / "kernel.info", kernel_info));
  must(write_file(folder / "cpu.cpp", kernel_source));
  const std::int64_t shape[] = {16};
  for (std::size_t t = 0; t < m_views.size(); ++t)
    m_views[t] = {reinterpret_cast<std::byte*>(m_values[t].data()), DType::f32,
                  Layout::contiguous(shape)};
}

TuneRequest BenchKernel::request() const {
  return TuneRequest::of(read_kernel(m_folder).value(), "smoke");
}

int reload_once(const std::filesystem::path& folder) {
  const CpuBackend backend;
  const BenchKernel kernel(folder);
  TunerOptions options;
  options.cache_folder = folder / "cache";
  Tuner tuner(backend, options);
  auto bound = tuner.bind(kernel.request());
  const auto report = bound.value().call(kernel.arguments());
  return report && report->cache == CacheUse::hit && report->compiles == 0 ? 0 : 1;
}

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace tunecheck::bench
