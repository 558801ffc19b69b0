// out = x with each row multiplied by its element of scale. A block of BLOCK threads covers
// BLOCK * VEC columns; neighbouring threads take neighbouring columns. gridDim.y has a limit, so a
// block takes every gridDim.y-th row.
// DECIDE: no block waits for another one, so two blocks must never write the same element.
#include <tunecheck/gpu_kernel.h>

extern "C" __global__ void __launch_bounds__(BLOCK)
    my_kernel(tunecheck::Tensor<X_TYPE> x, tunecheck::Tensor<SCALE_TYPE> scale,
              tunecheck::Tensor<OUT_TYPE> out) {
  const int64_t cols = x.size(1);
  const int64_t first = static_cast<int64_t>(blockIdx.x) * BLOCK * VEC + threadIdx.x;
  for (int64_t r = blockIdx.y; r < x.size(0); r += gridDim.y) {
    const float factor = scale(r);
#pragma unroll
    for (int v = 0; v < VEC; ++v) {
      const int64_t c = first + v * BLOCK;
      if (c < cols) out(r, c) = factor * x(r, c);
    }
  }
}
