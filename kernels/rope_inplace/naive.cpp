#include <tunecheck/cpu_kernel.h>

void rope_inplace(tunecheck::Tensor<X_TYPE> x, tunecheck::Tensor<COS_TYPE> cos,
                  tunecheck::Tensor<SIN_TYPE> sin) {
  const int64_t half = cos.size(1);
  for (int64_t t = 0; t < x.size(0); ++t)
    for (int64_t h = 0; h < x.size(1); ++h)
      for (int64_t d = 0; d < half; ++d) {
        const float a = x(t, h, d);
        const float b = x(t, h, d + half);
        x(t, h, d) = a * cos(t, d) - b * sin(t, d);
        x(t, h, d + half) = b * cos(t, d) + a * sin(t, d);
      }
}
TUNECHECK_KERNEL(rope_inplace)
