#include <tunecheck/reference.h>

void faulty_sum(tunecheck::Tensor<double> in, tunecheck::Tensor<double> sum) {
  for (int64_t i = 0; i < sum.size(0); ++i)
    sum(i) += in(i);
}
TUNECHECK_REFERENCE(faulty_sum)
