#include <tunecheck/cpu_kernel.h>

void softmax_inplace(tunecheck::Tensor<X_TYPE> x) {
  const int64_t cols = x.size(1);
  for (int64_t r = 0; r < x.size(0); ++r) {
    float largest = -__builtin_inff();
    for (int64_t c = 0; c < cols; ++c)
      largest = x(r, c) > largest ? static_cast<float>(x(r, c)) : largest;
    float sum = 0;
    for (int64_t c = 0; c < cols; ++c)
      sum += __builtin_expf(x(r, c) - largest);
    for (int64_t c = 0; c < cols; ++c)
      x(r, c) = __builtin_expf(x(r, c) - largest) / sum;
  }
}
TUNECHECK_KERNEL(softmax_inplace)
