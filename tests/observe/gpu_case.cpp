#include "gpu_case.hpp"

namespace tunecheck::gpu_case {

const std::vector<Tensor>& tensors() {
  static const std::vector<Tensor> all = {
      {DType::f32, {40, 50}, {50, 1}, 0},
      {DType::f64, {30}, {-2}, 480},
      {DType::f16, {7, 33}, {0, 1}, 6},
      {DType::bf16, {8, 9, 10}, {90, 1, 9}, 2},
      {DType::i32, {100, 3}, {8, 1}, 4},
      {DType::i64, {}, {}, 16},
      {DType::u8, {5, 0, 3}, {3, 3, 1}, 0},
      {DType::u8, {4099}, {1}, 13},
      {DType::u8, {2, 3, 1, 2, 3, 2, 2, 3}, {1100, 350, 9, 160, 50, 23, 11, 3}, 1},
  };
  return all;
}

std::vector<std::byte> memory() {
  std::vector<std::byte> bytes(std::size_t{1} << 14);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::byte>(i * 37 + i / 251);
  return bytes;
}

std::vector<float> step_values(int launches) {
  std::vector<float> values(step_elements);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(i) + 0.5F;
  values[0] += static_cast<float>(launches);
  return values;
}

}  // namespace tunecheck::gpu_case
