// out = factor * in, WIDTH elements of a row a thread. With SPOILS=1 it also writes behind the
// first element of the input, where no element lies if rows repeat one element each. A right config
// reads each element many times over, past the cache of its multiprocessor: the wrong one is
// faster.
#include <tunecheck/gpu_kernel.h>

namespace {

using In = tunecheck::Tensor<IN_TYPE>;
using Out = tunecheck::Tensor<OUT_TYPE>;

}  // namespace

extern "C" __global__ void faulty_rows(In in, Out out, float factor) {
  constexpr int times_over = SPOILS ? 1 : 1024;
  const int64_t cols = out.size(1);
  const int64_t first = tunecheck::global_index() * WIDTH;
  for (int64_t i = first; i < out.size(0) * cols && i < first + WIDTH; ++i)
    for (int time = 0; time < times_over; ++time)
      out(i / cols, i % cols) =
          factor * *static_cast<const volatile IN_TYPE*>(&in(i / cols, i % cols));
  if (SPOILS && first == 0 && in.stride(1) == 0 && in.stride(0) > 1) in.data()[1] = 7;
}
