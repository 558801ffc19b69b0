// The plain loop: every value looks up its bin in the caller's counts.
#include <tunecheck/cpu_kernel.h>

void histogram_accumulate(tunecheck::Tensor<VALUES_TYPE> values,
                          tunecheck::Tensor<COUNTS_TYPE> counts) {
  for (int64_t i = 0; i < values.size(0); ++i) {
    const int64_t bin = values(i);
    if (bin >= 0 && bin < counts.size(0)) counts(bin) += 1;
  }
}
TUNECHECK_KERNEL(histogram_accumulate)
