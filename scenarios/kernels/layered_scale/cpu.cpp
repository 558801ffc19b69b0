// BLOCK elements at once.
#include <tunecheck/cpu_kernel.h>

#include "scale.h"

void layered_scale(tunecheck::Tensor<X_TYPE> x, tunecheck::Tensor<Y_TYPE> y) {
  const int64_t n = y.size(0);
  for (int64_t first = 0; first < n; first += BLOCK)
    for (int64_t i = first; i < n && i < first + BLOCK; ++i)
      y(i) = scaled(x(i));
}
TUNECHECK_KERNEL(layered_scale)
