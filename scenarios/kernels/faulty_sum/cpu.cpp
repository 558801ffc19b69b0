// sum += in, WIDTH elements at a time. With SKIPS=1 nothing is done, which is a thousand times
// faster, also where a judge that digests every launch's tensors is timed with it: a right config
// reads its input many times over.
#include <tunecheck/cpu_kernel.h>

namespace {

using In = tunecheck::Tensor<IN_TYPE>;
using Sum = tunecheck::Tensor<SUM_TYPE>;

[[maybe_unused]] __attribute__((noinline)) void add_part(In in, Sum sum, int64_t from,
                                                         int64_t count) {
  for (int64_t i = from; i < from + count; ++i)
    sum(i) += in(i);
}

[[maybe_unused]] void read_many_times(In in) {
  constexpr int times_over = 128;
  volatile IN_TYPE latest = 0;
  for (int time = 0; time < times_over; ++time)
    for (int64_t i = 0; i < in.size(0); ++i)
      latest = in(i);
  (void)latest;
}

}  // namespace

void faulty_sum([[maybe_unused]] In in, [[maybe_unused]] Sum sum) {
#if !SKIPS
  read_many_times(in);
  const int64_t n = sum.size(0);
  for (int64_t i = 0; i < n; i += WIDTH)
    add_part(in, sum, i, n - i < WIDTH ? n - i : WIDTH);
#endif
}
TUNECHECK_KERNEL(faulty_sum)
