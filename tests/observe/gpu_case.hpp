#pragma once
// What the kernels of the GPU probes' tests are given: by the children that launch them, and by the
// tests, which digest it for themselves.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/dtype.hpp"

namespace tunecheck::gpu_case {

/// A tensor in a buffer with the content of `memory()`; element [0, ..., 0] at byte `first`.
struct Tensor {
  DType dtype;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;
  std::size_t first;
};
/// All dtypes; plain, reversed, broadcast, padded, permuted, empty, of rank 0 and 8.
[[nodiscard]] const std::vector<Tensor>& tensors();
[[nodiscard]] std::vector<std::byte> memory();

/// The elements that the kernel "step" gets, f32, before `launches` launches: it adds 1 to the
/// first.
inline constexpr std::int64_t step_elements = 1000;
[[nodiscard]] std::vector<float> step_values(int launches);

inline constexpr const char* config = "block=64,vec=4";

}  // namespace tunecheck::gpu_case
