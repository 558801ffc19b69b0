#pragma once
// Calls of kernels on a GPU, and what they must leave behind.
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "backend/gpu/driver/device.hpp"
#include "backend/gpu/gpu_backend.hpp"
#include "core/files.hpp"
#include "core/kernel.hpp"
#include "harness/kernel/oracle.hpp"
#include "tuner/tuner.hpp"

namespace tunecheck::test {

/// The backend of all of a program's tests: CUDA, unless something else is assigned before they
/// run.
[[nodiscard]] DeviceKind& tested_backend();

/// A function of the tested backend's driver that the tuner itself has no use for. Null where it is
/// not there.
[[nodiscard]] void* find_in_driver(const char* cuda, const char* hip);

/// Skips a test where there is no device; one test at a time.
class OnGpu : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const auto device = m_backend.device_name(); !device) GTEST_SKIP() << device.error().text();
  }

  [[nodiscard]] const gpu::GpuDevice& device() const {
    return **gpu::GpuDevice::open(m_backend.kind());
  }
  [[nodiscard]] const GpuBackend& backend() const { return m_backend; }
  /// A folder of the test's own.
  [[nodiscard]] std::filesystem::path folder() const { return m_folder.path(); }
  [[nodiscard]] TunerOptions options() const {
    TunerOptions options;
    options.cache_folder = folder() / "cache";
    options.compile_jobs = 0;
    return options;
  }

 private:
  const GpuBackend m_backend{tested_backend()};
  const TemporaryFolder m_folder = TemporaryFolder::create("tunecheck-test-gpu").value();
};

/// One of tunecheck's own kernels.
[[nodiscard]] KernelDefinition own_kernel(const std::string& name);

/// A kernel y = f(x, y) over n elements, written to `folder`: `body` is the gpu source's statements
/// for element i, run where i < n; `shared_bytes` may name `config`. The space is `config "0 1 2"`.
[[nodiscard]] KernelDefinition written_kernel(const std::filesystem::path& folder,
                                              const std::string& body, std::int64_t n,
                                              const std::string& shared_bytes = "0");

/// The tensors of a kernel at one of its sizes in device memory, filled as the kernel file says.
class DeviceCall {
 public:
  DeviceCall(const Backend& backend, KernelDefinition kernel, const std::string& size,
             std::size_t variant = 0);

  [[nodiscard]] const KernelDefinition& kernel() const { return m_kernel; }
  [[nodiscard]] TuneRequest request() const { return TuneRequest::of(m_kernel, m_size); }
  [[nodiscard]] LaunchArguments arguments(Stream stream = nullptr) const {
    return {m_views, m_scalars, stream, &m_backend.memory()};
  }
  /// All tensors as in the beginning.
  void refill();
  /// "" where the tensors hold what one launch on the initial content leaves behind.
  [[nodiscard]] std::string difference() const;
  /// "" where they are as in the beginning.
  [[nodiscard]] std::string change() const;
  /// The elements of a tensor, on the host.
  [[nodiscard]] std::vector<double> values(std::size_t tensor) const;

 private:
  [[nodiscard]] std::string compared_with(const TensorContents& contents, bool results) const;

  const Backend& m_backend;
  const KernelDefinition m_kernel;
  const std::string m_size;
  std::vector<MemoryBlock> m_blocks;
  std::vector<TensorView> m_views;
  std::vector<Scalar> m_scalars;
  TensorContents m_initial;
};

}  // namespace tunecheck::test
