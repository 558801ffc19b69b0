#include <tunecheck/cpu_kernel.h>

void axpy_inplace(tunecheck::Tensor<X_TYPE> x, tunecheck::Tensor<Y_TYPE> y, float alpha) {
  for (int64_t i = 0; i < y.size(0); ++i)
    y(i) += alpha * x(i);
}
TUNECHECK_KERNEL(axpy_inplace)
