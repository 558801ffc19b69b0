#pragma once
// A tensor with memory of its own, for tests.
#include <cstddef>
#include <initializer_list>
#include <vector>

#include "core/tensor_view.hpp"

namespace tunecheck::test {

/// Owns exactly the bytes that the layout spans; each begins as `background`.
class OwnedTensor {
 public:
  static constexpr std::byte background{0x5a};

  OwnedTensor(DType dtype, const Layout& layout)
      : m_extent(extent_of(layout)),
        m_bytes(static_cast<std::size_t>(m_extent.end - m_extent.first) * size_of(dtype),
                background),
        m_dtype(dtype),
        m_layout(layout) {}
  OwnedTensor(DType dtype, std::initializer_list<std::int64_t> shape)
      : OwnedTensor(dtype, Layout::contiguous(std::vector(shape))) {}
  OwnedTensor(DType dtype, std::initializer_list<std::int64_t> shape,
              std::initializer_list<std::int64_t> strides)
      : OwnedTensor(dtype, Layout::strided(std::vector(shape), std::vector(strides))) {}

  [[nodiscard]] TensorView view() {
    const auto first = static_cast<std::size_t>(-m_extent.first) * size_of(m_dtype);
    return {m_bytes.data() + first, m_dtype, m_layout};
  }
  [[nodiscard]] std::vector<std::byte>& bytes() { return m_bytes; }

 private:
  Extent m_extent;
  std::vector<std::byte> m_bytes;
  DType m_dtype;
  Layout m_layout;
};

}  // namespace tunecheck::test
