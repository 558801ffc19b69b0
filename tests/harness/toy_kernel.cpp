#include "toy_kernel.hpp"

#include <stdexcept>

#include "../observe/cached_compiler.hpp"

namespace tunecheck::test {
namespace {

void write(const std::filesystem::path& file, const std::string& text) {
  if (const auto written = write_file(file, text); !written)
    throw std::runtime_error(written.error().text());
}

}  // namespace

KernelText::KernelText(const std::string& name)
    : info(with(R"(kernel
{
  name           NAME
  summary        "y = factor * x + y; y in place"
  sizes          { smoke { n 64 }  full { n 4096 } }
  tensors
  {
    x { dtype "f32 f64"  shape "n"  access read      fill normal }
    y { dtype "f32 f64"  shape "n"  access in_place  fill normal }
  }
  scalars        { factor { dtype f32  value 1.25 } }
  restore_value  "y"
  space          { step "1 2"  where "step <= n" }
  default        { step 1 }
  cpu            { source cpu.cpp }
  reference      reference.cpp
  tolerance      { relative 1e-6  absolute 1e-6  reason "one product and one sum" }
}
)",
                "NAME", name)),
      cpu(R"(#include <tunecheck/cpu_kernel.h>

#include "step.h"

void NAME(tunecheck::Tensor<X_TYPE> x, tunecheck::Tensor<Y_TYPE> y, float factor) {
  volatile int config = step;  // each config is other code
  (void)config;
  for (int64_t i = 0; i < y.size(0); ++i)
    y(i) += static_cast<Y_TYPE>(factor) * static_cast<Y_TYPE>(x(i));
}
TUNECHECK_KERNEL(NAME)
)"),
      header("inline constexpr int step = STEP;\n"),
      reference(R"(#include <tunecheck/reference.h>

void toy(tunecheck::Tensor<double> x, tunecheck::Tensor<double> y, double factor) {
  for (int64_t i = 0; i < y.size(0); ++i)
    y(i) += factor * x(i);
}
TUNECHECK_REFERENCE(toy)
)") {
  for (std::size_t at; (at = cpu.find("NAME")) != cpu.npos;)
    cpu.replace(at, 4, name);
}

KernelText KernelText::with_gpu() const {
  KernelText text = *this;
  text.info = with(text.info, "  reference      reference.cpp\n",
                   "  gpu            { source gpu.cu  grid \"ceil_div(n,32)\"  threads 32 }\n"
                   "  reference      reference.cpp\n");
  text.gpu = R"(#include <tunecheck/gpu_kernel.h>

extern "C" __global__ void toy(tunecheck::Tensor<X_TYPE> x, tunecheck::Tensor<Y_TYPE> y,
                               float factor) {
  for (int waits = 1; waits < STEP; ++waits)
    __syncthreads();  // each config is other code
  const int64_t i = tunecheck::global_index();
  if (i < y.size(0)) {
    y(i) += static_cast<Y_TYPE>(factor) * static_cast<Y_TYPE>(x(i));
  }
}
)";
  return text;
}

std::string with(const std::string& text, const std::string& part, const std::string& by) {
  const std::size_t at = text.find(part);
  if (at == text.npos || text.find(part, at + 1) != text.npos)
    throw std::logic_error("not there exactly once: " + part);
  std::string changed = text;
  return changed.replace(at, part.size(), by);
}

KernelDefinition write_kernel(const std::filesystem::path& folder, const KernelText& text) {
  // The same few kernels are compiled in each test.
  static const bool cached = use_cached_compiler();
  (void)cached;
  std::filesystem::create_directories(folder);
  write(folder / "kernel.info", text.info);
  write(folder / "cpu.cpp", text.cpu);
  write(folder / "step.h", text.header);
  write(folder / "reference.cpp", text.reference);
  if (!text.gpu.empty()) write(folder / "gpu.cu", text.gpu);
  auto kernel = read_kernel(folder);
  if (!kernel) throw std::runtime_error(kernel.error().text());
  return std::move(*kernel);
}

}  // namespace tunecheck::test
