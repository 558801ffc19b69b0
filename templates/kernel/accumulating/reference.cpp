// The same in double, as plainly as possible; every tensor is contiguous and holds doubles, and
// the tensors of reset_to_zero have been zeroed.
// DECIDE: use a more direct algorithm if there is one; a copy of the kernel has its mistakes.
#include <tunecheck/reference.h>

void my_kernel(tunecheck::Tensor<double> x, tunecheck::Tensor<double> sums) {
  for (int64_t c = 0; c < x.size(1); ++c)
    for (int64_t r = 0; r < x.size(0); ++r)
      sums(c) += x(r, c);
}
TUNECHECK_REFERENCE(my_kernel)
