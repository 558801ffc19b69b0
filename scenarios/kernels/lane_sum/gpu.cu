// A thread per row, whose columns are summed in LANES partial sums.
#include <tunecheck/gpu_kernel.h>

extern "C" __global__ void lane_sum(tunecheck::Tensor<X_TYPE> x, tunecheck::Tensor<Y_TYPE> y) {
  const int64_t r = tunecheck::global_index();
  if (r >= y.size(0)) return;
  const int64_t cols = x.size(1);
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
