#include "device_calls.hpp"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <stdexcept>

#include "core/fill.hpp"
#include "core/resources.hpp"

namespace tunecheck::test {
namespace {

Oracle& oracle() {
  static const TemporaryFolder folder = TemporaryFolder::create("tunecheck-oracle").value();
  static Oracle oracle(folder.path());
  return oracle;
}

}  // namespace

DeviceKind& tested_backend() {
  static DeviceKind kind = DeviceKind::cuda;
  return kind;
}

void* find_in_driver(const char* cuda, const char* hip) {
  const bool is_hip = tested_backend() == DeviceKind::hip;
  std::vector<const char*> libraries = {"libcuda.so.1"};
  if (is_hip) libraries = {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5"};
  if (const char* const named = std::getenv(is_hip ? "TUNECHECK_HIP" : "TUNECHECK_CUDA"))
    libraries = {named};
  for (const char* const name : libraries)
    if (void* const library = ::dlopen(name, RTLD_NOW))
      return ::dlsym(library, is_hip ? hip : cuda);
  return nullptr;
}

KernelDefinition own_kernel(const std::string& name) {
  return read_kernel(find_resources().kernels / name).value();
}

KernelDefinition written_kernel(const std::filesystem::path& folder, const std::string& body,
                                std::int64_t n, const std::string& shared_bytes) {
  std::filesystem::create_directories(folder);
  const auto write = [&](const char* file, const std::string& text) {
    EXPECT_TRUE(write_file(folder / file, std::as_bytes(std::span(text))));
  };
  write("kernel.info", fmt::format(R"info(kernel
{{
  name     written
  summary  "a test's own"
  sizes    {{ smoke {{ n {} }}  full {{ n {} }} }}
  tensors
  {{
    x {{ dtype f32  shape "n"  access read      fill normal }}
    y {{ dtype f32  shape "n"  access in_place  fill normal }}
  }}
  restore_value  "y"
  space          {{ config "0 1 2" }}
  default        {{ config 0 }}
  gpu            {{ source gpu.cu  grid "ceil_div(n,256)"  threads "256"  shared "{}" }}
  reference      reference.cpp
  tolerance      {{ relative 1e-6  absolute 1e-6  reason "one operation" }}
}}
)info",
                                   n, n, shared_bytes));
  write("gpu.cu", R"(#include <tunecheck/gpu_kernel.h>
extern "C" __global__ void written(tunecheck::Tensor<float> x, tunecheck::Tensor<float> y) {
  const int64_t i = tunecheck::global_index();
  if (i < y.size(0)) {
)" + body + "\n  }\n}\n");
  write("reference.cpp", R"(#include <tunecheck/reference.h>
void written(tunecheck::Tensor<double> x, tunecheck::Tensor<double> y) {
  for (int64_t i = 0; i < y.size(0); ++i) y(i) += x(i);
}
TUNECHECK_REFERENCE(written)
)");
  const auto kernel = read_kernel(folder);
  if (!kernel) throw std::runtime_error(kernel.error().text());
  return *kernel;
}

DeviceCall::DeviceCall(const Backend& backend, KernelDefinition kernel, const std::string& size,
                       std::size_t variant)
    : m_backend(backend), m_kernel(std::move(kernel)), m_size(size) {
  const Sizes& sizes = m_kernel.sizes.at(size);
  const std::vector<DType> dtypes = m_kernel.variant(variant);
  for (std::size_t i = 0; i < m_kernel.tensors.size(); ++i) {
    const auto shape = m_kernel.shape_of(m_kernel.tensors[i], sizes).value();
    const Layout layout = Layout::contiguous(shape);
    m_blocks.push_back(backend.memory()
                           .allocate(static_cast<std::size_t>(layout.count()) * size_of(dtypes[i]))
                           .value());
    m_views.push_back({m_blocks.back().data(), dtypes[i], layout});
  }
  for (const ScalarParameter& scalar : m_kernel.scalars)
    m_scalars.push_back({scalar.dtype, scalar.value});
  refill();
}

void DeviceCall::refill() {
  const bool is_first = m_initial.empty();
  for (std::size_t i = 0; i < m_views.size(); ++i) {
    const TensorView& view = m_views[i];
    std::vector<std::byte> content(static_cast<std::size_t>(view.layout.count()) *
                                   size_of(view.dtype));
    const TensorView host{content.data(), view.dtype, view.layout};
    const Fill fill = m_kernel.fill_of(m_kernel.tensors[i], m_kernel.sizes.at(m_size)).value();
    apply_fill(fill, 1, m_kernel.tensors[i].name, host);
    m_backend.memory().copy_from_host(host, view);
    if (is_first) m_initial.push_back(to_doubles(host));
  }
  EXPECT_TRUE(m_backend.memory().wait());
}

std::vector<double> DeviceCall::values(std::size_t tensor) const {
  return to_doubles(m_backend.memory().on_host(m_views[tensor]).value().view);
}

std::string DeviceCall::difference() const {
  Oracle::Question question;
  question.kernel = &m_kernel;
  question.contents = m_initial;
  for (std::size_t i = 0; i < m_views.size(); ++i) {
    const auto shape = m_views[i].layout.dimensions();
    question.shapes.emplace_back(shape.begin(), shape.end());
    if (m_kernel.resets(m_kernel.tensors[i].name))
      std::fill(question.contents[i].begin(), question.contents[i].end(), 0.0);
  }
  for (const Scalar& scalar : m_scalars)
    question.scalars.push_back(scalar.dtype == DType::f32 ? static_cast<float>(scalar.value)
                                                          : scalar.value);
  const auto expected = oracle().ask(std::move(question));
  if (!expected) return expected.error().text();
  return compared_with(**expected, true);
}

std::string DeviceCall::change() const {
  return compared_with(m_initial, false);
}

std::string DeviceCall::compared_with(const TensorContents& contents, bool results) const {
  for (std::size_t i = 0; i < m_views.size(); ++i) {
    if (results && !m_kernel.tensors[i].is_result()) continue;
    const auto content = m_backend.memory().on_host(m_views[i]);
    if (!content) return content.error().text();
    const Tolerance exact;
    const Comparison comparison = compare(
        content->view, contents[i], results ? m_kernel.tolerance.of(m_views[i].dtype) : exact);
    if (!comparison.equal()) return m_kernel.tensors[i].name + ": " + comparison.text();
  }
  return {};
}

}  // namespace tunecheck::test
