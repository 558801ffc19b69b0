// y = alpha * x + y in blocks of BLOCK elements, UNROLL of them (twice as many of two bytes) in
// registers at a time.
#include <tunecheck/cpu_kernel.h>

#include "scaled_add.h"

void axpy_inplace(tunecheck::Tensor<X_TYPE> x, tunecheck::Tensor<Y_TYPE> y, float alpha) {
  using Number = decltype(Y_TYPE() + alpha);  // float for the types that only store
  constexpr int step = sizeof(Y_TYPE) == 2 ? 2 * UNROLL : UNROLL;  // as many as fill the registers
  const int64_t n = y.size(0);
  int64_t i = 0;
  if (x.stride(0) == 1 && y.stride(0) == 1)
    for (; i + BLOCK <= n; i += BLOCK)
      scaled_add<BLOCK, step>(x.data() + i, y.data() + i, static_cast<Number>(alpha));
  for (; i < n; ++i)
    y(i) = static_cast<Y_TYPE>(static_cast<Number>(y(i)) + static_cast<Number>(alpha) * x(i));
}
TUNECHECK_KERNEL(axpy_inplace)
