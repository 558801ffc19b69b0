// y = alpha * x + y in blocks of BLOCK elements, UNROLL of them in registers at a time.
#include <tunecheck/cpu_kernel.h>

#include "scaled_add.h"

void axpy_inplace(tunecheck::Tensor<X_TYPE> x, tunecheck::Tensor<Y_TYPE> y, float alpha) {
  const int64_t n = y.size(0);
  int64_t i = 0;
  if (x.stride(0) == 1 && y.stride(0) == 1)
    for (; i + BLOCK <= n; i += BLOCK)
      scaled_add<BLOCK, UNROLL>(x.data() + i, y.data() + i, static_cast<Y_TYPE>(alpha));
  for (; i < n; ++i)
    y(i) += static_cast<Y_TYPE>(alpha) * static_cast<Y_TYPE>(x(i));
}
TUNECHECK_KERNEL(axpy_inplace)
