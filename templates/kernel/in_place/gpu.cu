// y = factor * y. A block of BLOCK threads covers BLOCK * VEC elements; neighbouring threads take
// neighbouring elements, and each loads all of its VEC elements before it stores the first.
// DECIDE: no block waits for another one, so two blocks must never write the same element.
#include <tunecheck/gpu_kernel.h>

extern "C" __global__ void __launch_bounds__(BLOCK)
    my_kernel(tunecheck::Tensor<Y_TYPE> y, float factor) {
  const int64_t n = y.size(0);
  const int64_t first = static_cast<int64_t>(blockIdx.x) * BLOCK * VEC + threadIdx.x;
  float part[VEC];
#pragma unroll
  for (int v = 0; v < VEC; ++v) {
    const int64_t i = first + v * BLOCK;
    if (i < n) part[v] = factor * y(i);
  }
#pragma unroll
  for (int v = 0; v < VEC; ++v) {
    const int64_t i = first + v * BLOCK;
    if (i < n) y(i) = part[v];
  }
}
