#include <tunecheck/reference.h>

void lane_sum(tunecheck::Tensor<double> x, tunecheck::Tensor<double> y) {
  for (int64_t r = 0; r < y.size(0); ++r) {
    double sum = 0;
    for (int64_t c = 0; c < x.size(1); ++c)
      sum += x(r, c);
    y(r) = sum;
  }
}
TUNECHECK_REFERENCE(lane_sum)
