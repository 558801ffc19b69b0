// The parameters are there to be counted.
#include <tunecheck/gpu_kernel.h>

extern "C" __global__ void wide_space(tunecheck::Tensor<X_TYPE> x, tunecheck::Tensor<Y_TYPE> y) {
  const int64_t i = tunecheck::global_index();
  if (i < y.size(0)) y(i) = 2 * x(i);
}
