#include <tunecheck/reference.h>

void accumulate_restored(tunecheck::Tensor<double> sum, tunecheck::Tensor<double> terms) {
  for (int64_t i = 0; i < sum.size(0); ++i)
    sum(i) += terms(i);
}
TUNECHECK_REFERENCE(accumulate_restored)
