// A row's columns are summed in LANES partial sums, which are added up in the end.
#include <tunecheck/cpu_kernel.h>

void lane_sum(tunecheck::Tensor<X_TYPE> x, tunecheck::Tensor<Y_TYPE> y) {
  const int64_t cols = x.size(1);
  for (int64_t r = 0; r < y.size(0); ++r) {
    float lanes[LANES] = {};
    int64_t c = 0;
    for (; c + LANES <= cols; c += LANES)
      for (int lane = 0; lane < LANES; ++lane)
        lanes[lane] += x(r, c + lane);
    float sum = 0;
    for (int lane = 0; lane < LANES; ++lane)
      sum += lanes[lane];
    for (; c < cols; ++c)
      sum += x(r, c);
    y(r) = sum;
  }
}
TUNECHECK_KERNEL(lane_sum)
