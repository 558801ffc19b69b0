// One block of BLOCK threads a row. A thread has VEC columns in flight, BLOCK apart, so that
// neighbouring threads touch neighbouring elements. It reads back only what it wrote itself.
#include <tunecheck/gpu_kernel.h>

extern "C" __global__ void __launch_bounds__(BLOCK)
    fused_add_rmsnorm(tunecheck::Tensor<INPUT_TYPE> input,
                      tunecheck::Tensor<RESIDUAL_TYPE> residual,
                      tunecheck::Tensor<WEIGHT_TYPE> weight, float eps) {
  const int64_t cols = input.size(1);
  const int64_t row = blockIdx.x;
  if (row >= input.size(0)) return;  // the whole block
  INPUT_TYPE* const in = &input(row, 0);
  RESIDUAL_TYPE* const kept = &residual(row, 0);
  const int64_t in_step = input.stride(1);
  const int64_t kept_step = residual.stride(1);

  float squares = 0;
  for (int64_t first = threadIdx.x; first < cols; first += int64_t{BLOCK} * VEC) {
    float sums[VEC];
#pragma unroll
    for (int v = 0; v < VEC; ++v) {
      const int64_t c = first + v * BLOCK;
      sums[v] = 0;
      if (c < cols)
        sums[v] = static_cast<float>(kept[c * kept_step]) + static_cast<float>(in[c * in_step]);
    }
#pragma unroll
    for (int v = 0; v < VEC; ++v) {
      const int64_t c = first + v * BLOCK;
      if (c < cols) kept[c * kept_step] = sums[v];
      squares += sums[v] * sums[v];
    }
  }
  squares = tunecheck::block_reduce<BLOCK>(squares, tunecheck::Sum());

  const float scale = rsqrtf(squares / static_cast<float>(cols) + eps);
  for (int64_t first = threadIdx.x; first < cols; first += int64_t{BLOCK} * VEC) {
    float scaled[VEC];
#pragma unroll
    for (int v = 0; v < VEC; ++v) {
      const int64_t c = first + v * BLOCK;
      scaled[v] = 0;
      if (c < cols)
        scaled[v] = static_cast<float>(kept[c * kept_step]) * scale * static_cast<float>(weight(c));
    }
#pragma unroll
    for (int v = 0; v < VEC; ++v) {
      const int64_t c = first + v * BLOCK;
      if (c < cols) in[c * in_step] = scaled[v];
    }
  }
}
