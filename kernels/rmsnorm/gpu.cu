// out = input / rms(input) * weight. A block of BLOCK threads normalizes a row: in a step each
// thread loads VEC columns, BLOCK apart, so that neighbouring threads read neighbouring columns.
#include <tunecheck/gpu_kernel.h>

extern "C" __global__ void __launch_bounds__(BLOCK)
    rmsnorm(tunecheck::Tensor<INPUT_TYPE> input, tunecheck::Tensor<WEIGHT_TYPE> weight,
            tunecheck::Tensor<OUT_TYPE> out, float eps) {
  constexpr int step = BLOCK * VEC;
  const int64_t row = blockIdx.x;
  const int64_t cols = input.size(1);
  if (row >= input.size(0)) return;  // the whole block

  float lanes[VEC] = {};
  for (int64_t first = threadIdx.x; first < cols; first += step) {
#pragma unroll
    for (int v = 0; v < VEC; ++v) {
      const int64_t c = first + v * BLOCK;
      const float value = c < cols ? static_cast<float>(input(row, c)) : 0.0f;
      lanes[v] += value * value;
    }
  }
  float squares = 0;
#pragma unroll
  for (int v = 0; v < VEC; ++v)
    squares += lanes[v];
  squares = tunecheck::block_reduce<BLOCK>(squares, tunecheck::Sum());

  const float scale = rsqrtf(squares / static_cast<float>(cols) + eps);
  for (int64_t first = threadIdx.x; first < cols; first += step) {
#pragma unroll
    for (int v = 0; v < VEC; ++v) {
      const int64_t c = first + v * BLOCK;
      if (c < cols) out(row, c) = input(row, c) * scale * weight(c);
    }
  }
}
