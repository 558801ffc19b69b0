#include <tunecheck/reference.h>

void accumulate_restored(tunecheck::Tensor<double> terms, tunecheck::Tensor<double> sum) {
  for (int64_t i = 0; i < sum.size(0); ++i)
    sum(i) += terms(i);
}
TUNECHECK_REFERENCE(accumulate_restored)
