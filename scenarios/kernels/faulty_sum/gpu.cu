// sum += in, WIDTH elements per thread. With SKIPS=1 nothing is done, which is much faster: a right
// config reads each element of its input many times over, past the cache of its multiprocessor.
#include <tunecheck/gpu_kernel.h>

namespace {

using In = tunecheck::Tensor<IN_TYPE>;
using Sum = tunecheck::Tensor<SUM_TYPE>;

[[maybe_unused]] __device__ float read_many_times(In in, int64_t i) {
  constexpr int times_over = 1024;
  float latest = 0;
  for (int time = 0; time < times_over; ++time)
    latest = *static_cast<const volatile IN_TYPE*>(&in(i));
  return latest;
}

}  // namespace

extern "C" __global__ void faulty_sum([[maybe_unused]] In in, [[maybe_unused]] Sum sum) {
#if !SKIPS
  const int64_t n = sum.size(0);
  const int64_t from = tunecheck::global_index() * WIDTH;
  for (int64_t i = from; i < n && i < from + WIDTH; ++i)
    sum(i) += read_many_times(in, i);
#endif
}
