// The same in double, as plainly as possible; every tensor is contiguous and holds doubles.
// DECIDE: use a more direct algorithm if there is one; a copy of the kernel has its mistakes.
#include <tunecheck/reference.h>

void my_kernel(tunecheck::Tensor<double> y, double factor) {
  for (int64_t i = 0; i < y.size(0); ++i)
    y(i) *= factor;
}
TUNECHECK_REFERENCE(my_kernel)
