// y = alpha * x + y. A block of BLOCK threads covers BLOCK * UNROLL elements; neighbouring threads
// take neighbouring elements, and each thread loads all of its UNROLL elements before it stores.
#include <tunecheck/gpu_kernel.h>

extern "C" __global__ void __launch_bounds__(BLOCK)
    axpy_inplace(tunecheck::Tensor<X_TYPE> x, tunecheck::Tensor<Y_TYPE> y, float alpha) {
  using Number = decltype(Y_TYPE() + alpha);  // float for the types that only store
  const int64_t n = y.size(0);
  const int64_t first = static_cast<int64_t>(blockIdx.x) * BLOCK * UNROLL + threadIdx.x;
  Number sum[UNROLL];
#pragma unroll
  for (int u = 0; u < UNROLL; ++u) {
    const int64_t i = first + u * BLOCK;
    if (i < n) sum[u] = static_cast<Number>(y(i)) + static_cast<Number>(alpha) * x(i);
  }
#pragma unroll
  for (int u = 0; u < UNROLL; ++u) {
    const int64_t i = first + u * BLOCK;
    if (i < n) y(i) = static_cast<Y_TYPE>(sum[u]);
  }
}
