// The parameters are there to be counted.
#include <tunecheck/cpu_kernel.h>

void wide_space(tunecheck::Tensor<X_TYPE> x, tunecheck::Tensor<Y_TYPE> y) {
  for (int64_t i = 0; i < y.size(0); ++i)
    y(i) = 2 * x(i);
}
TUNECHECK_KERNEL(wide_space)
