// y = 2 * x, BLOCK elements at once, or nothing at all.
#include <tunecheck/cpu_kernel.h>

int refused_launch(tunecheck::Tensor<X_TYPE> x, tunecheck::Tensor<Y_TYPE> y, int64_t refuse) {
  if (refuse == 1 || refuse == BLOCK) return tunecheck::launch_out_of_resources;
  const int64_t n = y.size(0);
  for (int64_t first = 0; first < n; first += BLOCK)
    for (int64_t i = first; i < n && i < first + BLOCK; ++i)
      y(i) = 2 * x(i);
  return 0;
}
TUNECHECK_KERNEL(refused_launch)
