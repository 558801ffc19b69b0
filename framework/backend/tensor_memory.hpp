#pragma once
// Memory in which a backend's kernels find their tensors, and what can be done to tensors there.
#include <cstddef>
#include <functional>
#include <vector>

#include "core/compare.hpp"
#include "core/result.hpp"
#include "core/tensor_view.hpp"

namespace tunecheck {

/// A queue of a device's work: a CUstream or hipStream_t that somebody else owns. Null is the
/// default stream; on a CPU there is no other.
using Stream = void*;

/// Bytes that are given back when this object dies.
class MemoryBlock {
 public:
  MemoryBlock() = default;
  MemoryBlock(std::byte* first, std::size_t bytes, std::function<void()> release)
      : m_first(first), m_bytes(bytes), m_release(std::move(release)) {}
  MemoryBlock(MemoryBlock&& other) noexcept { swap(other); }
  MemoryBlock& operator=(MemoryBlock&& other) noexcept {
    swap(other);
    return *this;
  }
  ~MemoryBlock() {
    if (m_release) m_release();
  }

  [[nodiscard]] std::byte* data() const { return m_first; }
  [[nodiscard]] std::size_t size() const { return m_bytes; }

 private:
  void swap(MemoryBlock& other) noexcept {
    std::swap(m_first, other.m_first);
    std::swap(m_bytes, other.m_bytes);
    std::swap(m_release, other.m_release);
  }

  std::byte* m_first = nullptr;
  std::size_t m_bytes = 0;
  std::function<void()> m_release;
};

/// A tensor as the host can read it: the memory itself where that is the host's, else a copy.
struct HostTensor {
  TensorView view;
  std::vector<std::byte> copy = {};
};

/// One kind of memory. What changes tensors is done in the order of the calls and of the launches
/// on the same stream, and need not be done yet when the call returns; what looks at them waits for
/// all that was asked of this object before. A failure of the device is kept and reported by the
/// next wait(); what looks then finds nothing in order. All members may be called by several
/// threads at once.
class TensorMemory {
 public:
  virtual ~TensorMemory() = default;

  /// Not initialised, aligned to 256 bytes, and within the reach of trials.
  [[nodiscard]] virtual Result<MemoryBlock> allocate(std::size_t bytes) const = 0;

  /// As the functions of core/tensor_view.hpp.
  virtual void copy_elements(const TensorView& from, const TensorView& to,
                             Stream stream = nullptr) const = 0;
  virtual void fill_zero(const TensorView& view, Stream stream = nullptr) const = 0;
  virtual void fill_poison(const TensorView& view, Stream stream = nullptr) const = 0;
  virtual void fill_bytes(std::byte* first, std::size_t bytes, std::byte value) const = 0;

  [[nodiscard]] virtual bool holds(const std::byte* first, std::size_t bytes,
                                   std::byte value) const = 0;
  /// Same shape and dtype, the same bytes in every element.
  [[nodiscard]] virtual bool same_elements(const TensorView& a, const TensorView& b) const = 0;
  /// As compare() of core/compare.hpp, with the expected values as a tensor of the same dtype.
  [[nodiscard]] virtual Comparison compare_elements(const TensorView& actual,
                                                    const TensorView& expected,
                                                    const Tolerance& tolerance) const = 0;
  [[nodiscard]] virtual Result<HostTensor> on_host(const TensorView& view) const = 0;
  /// Writes the elements of a tensor in the host's memory into one here.
  virtual void copy_from_host(const TensorView& from, const TensorView& to) const = 0;

  /// Until all that was asked for is done, on every stream. The error is the first failure since.
  [[nodiscard]] virtual Result<void> wait() const = 0;
};

/// This process's own memory. Blocks are shared with its forked children.
[[nodiscard]] const TensorMemory& host_memory();

}  // namespace tunecheck
