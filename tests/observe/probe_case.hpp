#pragma once
// The tensors that observe-launch-helper launches with, and that the test digests for itself.
#include <array>
#include <cstdint>
#include <vector>

namespace tunecheck::probe_case {

struct Tensor {
  std::array<std::int64_t, 3> shape;
  std::array<std::int64_t, 3> strides;
  int rank;
  int first;  ///< element [0, ..., 0] in `values`
};

/// All of dtype f32, in memory of their own that holds 0.5, 1.5, 2.5, ...
inline constexpr int value_count = 64;
inline constexpr std::array<Tensor, 6> tensors = {{
    {{2, 3, 0}, {3, 1, 0}, 2, 0},    // plain
    {{4, 5, 0}, {0, 1, 0}, 2, 0},    // broadcast
    {{6, 0, 0}, {-2, 0, 0}, 1, 12},  // reversed
    {{0, 0, 0}, {0, 0, 0}, 0, 7},    // rank 0
    {{3, 0, 2}, {2, 2, 1}, 3, 0},    // no element
    {{2, 3, 2}, {24, 1, 8}, 3, 2},   // padded and permuted
}};

inline std::vector<float> values() {
  std::vector<float> all(value_count);
  for (int i = 0; i < value_count; ++i)
    all[static_cast<std::size_t>(i)] = static_cast<float>(i) + 0.5F;
  return all;
}

/// What a launch adds to element [0, 0] of the first tensor.
inline constexpr float step = 2;

}  // namespace tunecheck::probe_case
