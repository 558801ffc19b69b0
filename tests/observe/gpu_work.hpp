#pragma once
// What the test's child does with the driver, and what the parent knows of it.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/tensor_view.hpp"

namespace tunecheck::gpu_work {

/// Why there is nothing to test here; "" where there is a GPU with all that is needed.
[[nodiscard]] std::string missing();

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

/// Does the work of that name in the folder, where it leaves the cubin as "step.cubin". Throws
/// where a call of the driver fails.
void run(const std::string& name, const std::string& folder);

}  // namespace tunecheck::gpu_work
