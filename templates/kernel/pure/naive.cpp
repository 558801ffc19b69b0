// The loop that one would write first; the best config must not be slower.
#include <tunecheck/cpu_kernel.h>

void my_kernel(tunecheck::Tensor<X_TYPE> x, tunecheck::Tensor<SCALE_TYPE> scale,
               tunecheck::Tensor<OUT_TYPE> out) {
  for (int64_t r = 0; r < x.size(0); ++r)
    for (int64_t c = 0; c < x.size(1); ++c)
      out(r, c) = scale(r) * x(r, c);
}
TUNECHECK_KERNEL(my_kernel)
