#pragma once
// What the commands of tunecheck-gpu-figures share. A program of one thread: what fails ends it
// with a line on stderr.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "backend/gpu/gpu_backend.hpp"
#include "core/fill.hpp"
#include "core/resources.hpp"
#include "tuner/tuner.hpp"

namespace tunecheck::figures {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::json;

[[noreturn]] inline void stop(const std::string& why) {
  std::fprintf(stderr, "tunecheck-gpu-figures: %s\n", why.c_str());
  std::exit(1);
}

template <class T>
T must(Result<T> result) {
  if (!result) stop(result.error().text());
  return std::move(*result);
}

inline void must(const Result<void>& result) {
  if (!result) stop(result.error().text());
}

inline double microseconds(Clock::duration duration) {
  return std::chrono::duration<double, std::micro>(duration).count();
}

inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Device tensors of a kernel, with contents as its file says.
class Tensors {
 public:
  Tensors(const Backend& backend, const KernelDefinition& kernel, const Sizes& sizes,
          std::size_t variant)
      : m_backend(backend) {
    const std::vector<DType> dtypes = kernel.variant(variant);
    for (std::size_t i = 0; i < kernel.tensors.size(); ++i) {
      const Layout layout = Layout::contiguous(must(kernel.shape_of(kernel.tensors[i], sizes)));
      const auto bytes = static_cast<std::size_t>(layout.count()) * size_of(dtypes[i]);
      m_blocks.push_back(must(backend.memory().allocate(bytes)));
      m_views.push_back({m_blocks.back().data(), dtypes[i], layout});
      std::vector<std::byte> content(bytes);
      const TensorView host{content.data(), dtypes[i], layout};
      apply_fill(must(kernel.fill_of(kernel.tensors[i], sizes)), 1, kernel.tensors[i].name, host);
      backend.memory().copy_from_host(host, m_views.back());
    }
    for (const ScalarParameter& scalar : kernel.scalars)
      m_scalars.push_back({scalar.dtype, scalar.value});
    must(backend.memory().wait());
  }
  [[nodiscard]] LaunchArguments arguments(Stream stream = nullptr) const {
    return {m_views, m_scalars, stream, &m_backend.memory()};
  }
  [[nodiscard]] const std::vector<TensorView>& views() const { return m_views; }

 private:
  const Backend& m_backend;
  std::vector<MemoryBlock> m_blocks;
  std::vector<TensorView> m_views;
  std::vector<Scalar> m_scalars;
};

inline KernelDefinition kernel_named(const std::string& name) {
  return must(read_kernel(find_resources().kernels / name));
}

inline TuneRequest request_for(const KernelDefinition& kernel, const Sizes& sizes) {
  TuneRequest request = TuneRequest::of(kernel, "full");
  request.sizes = sizes;
  return request;
}

/// Bytes a second of fused_add_rmsnorm's winner and of a copy on the device, both with cold caches.
[[nodiscard]] Json bandwidth(const GpuBackend& backend, std::int64_t rows, std::int64_t cols);
/// Sizes of a kernel's file by their name, with others for some: "rows=8192,cols=8192".
[[nodiscard]] Sizes sizes_of(const KernelDefinition& kernel, const std::string& name,
                             const std::string& others);
/// Every config of a kernel and a copy of as many bytes, in turn, all with cold caches.
[[nodiscard]] Json kernel_times(const GpuBackend& backend, const KernelDefinition& kernel,
                                const Sizes& sizes, std::size_t variant, int rounds);

}  // namespace tunecheck::figures
