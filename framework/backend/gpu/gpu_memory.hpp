#pragma once
// Tensors in the memory of a GPU.
#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>

#include "backend/gpu/driver/device.hpp"
#include "backend/tensor_memory.hpp"

namespace tunecheck::gpu {

/// Works in the calling thread's context. What it does to bytes on the device is done there where
/// the driver takes the PTX of memory_kernels.ptx (CUDA does), else by way of the host.
class GpuMemory final : public TensorMemory {
 public:
  explicit GpuMemory(const GpuDevice& device) : m_device(device) {}
  ~GpuMemory() override = default;

  [[nodiscard]] Result<MemoryBlock> allocate(std::size_t bytes) const override;
  void copy_elements(const TensorView& from, const TensorView& to, Stream stream) const override;
  void fill_zero(const TensorView& view, Stream stream) const override;
  void fill_poison(const TensorView& view, Stream stream) const override;
  void fill_bytes(std::byte* first, std::size_t bytes, std::byte value) const override;
  [[nodiscard]] bool holds(const std::byte* first, std::size_t bytes,
                           std::byte value) const override;
  [[nodiscard]] bool same_elements(const TensorView& a, const TensorView& b) const override;
  [[nodiscard]] Comparison compare_elements(const TensorView& actual, const TensorView& expected,
                                            const Tolerance& tolerance) const override;
  [[nodiscard]] Result<HostTensor> on_host(const TensorView& view) const override;
  void copy_from_host(const TensorView& from, const TensorView& to) const override;
  [[nodiscard]] Result<void> wait() const override;

 private:
  // The kernels in one context, and a number that they add to. Where the driver does not take them,
  // module is null.
  struct Kernels {
    ModuleHandle module = nullptr;
    Address total = 0;
  };
  const Kernels& kernels() const;
  bool launch(const char* kernel, std::uint64_t count, void** parameters, Stream stream) const;
  // What `kernel` counts; nothing where it cannot be asked.
  std::optional<std::uint64_t> count(const char* kernel, std::uint64_t items,
                                     std::initializer_list<const void*> parameters) const;
  void fill(const TensorView& view, std::span<const std::byte> pattern, Stream stream) const;
  void note(Status status) const;

  const GpuDevice& m_device;
  mutable std::mutex m_mutex;
  mutable std::map<Context, Kernels> m_kernels;
  mutable std::mutex m_counting;
  mutable std::atomic<Status> m_failed{0};
};

}  // namespace tunecheck::gpu
