// The same in double, as plainly as possible; every tensor is contiguous and holds doubles.
// DECIDE: use a more direct algorithm if there is one; a copy of the kernel has its mistakes.
#include <tunecheck/reference.h>

void my_kernel(tunecheck::Tensor<double> x, tunecheck::Tensor<double> scale,
               tunecheck::Tensor<double> out) {
  for (int64_t r = 0; r < x.size(0); ++r)
    for (int64_t c = 0; c < x.size(1); ++c)
      out(r, c) = scale(r) * x(r, c);
}
TUNECHECK_REFERENCE(my_kernel)
