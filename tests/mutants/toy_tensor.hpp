#pragma once
// Tensors in memory that forked trials share with the test, as they share the adapter's mapped
// files.
#include <cstddef>
#include <vector>

#include "core/tensor_view.hpp"

namespace tunecheck::test {

/// Memory that forked trials share with the test, as the adapter's mapped files are.
class SharedMemory {
 public:
  explicit SharedMemory(std::size_t bytes);
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  [[nodiscard]] std::byte* data() const { return m_data; }

 private:
  std::byte* m_data;
  std::size_t m_bytes;
};

/// A tensor with canaries on both sides.
class SharedTensor {
 public:
  SharedTensor(DType dtype, const Layout& layout);
  [[nodiscard]] const TensorView& view() const { return m_view; }
  /// Elements first, first + step, first + 2 * step, ...
  void fill(double first, double step) const;
  [[nodiscard]] std::vector<double> elements() const { return to_doubles(m_view); }
  /// True where no byte outside of the tensor's extent was written.
  [[nodiscard]] bool canaries_intact() const;

 private:
  std::size_t m_size;
  SharedMemory m_memory;
  TensorView m_view;
};

}  // namespace tunecheck::test
