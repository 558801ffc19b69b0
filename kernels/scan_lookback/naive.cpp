// The plain loop: one running sum, wide enough not to lose the small terms.
#include <tunecheck/cpu_kernel.h>

#include "lookback.h"

void scan_lookback(tunecheck::Tensor<X_TYPE> x, tunecheck::Tensor<Y_TYPE> y,
                   tunecheck::Tensor<STATUS_TYPE> /*status*/) {
  lookback::Wide<X_TYPE>::Type sum = 0;
  for (int64_t i = 0; i < x.size(0); ++i) {
    sum += x(i);
    y(i) = static_cast<Y_TYPE>(sum);
  }
}
TUNECHECK_KERNEL(scan_lookback)
