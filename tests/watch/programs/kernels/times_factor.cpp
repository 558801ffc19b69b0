#include <tunecheck/cpu_kernel.h>

#include "factor.h"

// y = FACTOR * x
void times_factor(tunecheck::Tensor<float> y, tunecheck::Tensor<float> x) {
  const long size = x.size(0);
  for (long first = 0; first < size; first += BLOCK)
    for (long i = first; i < first + BLOCK && i < size; ++i)
      y(i) = FACTOR * x(i);
}
TUNECHECK_KERNEL(times_factor)
