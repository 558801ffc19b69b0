// out = in, but for the first elements: LEAVES of them are not written, which is wrong, and `alike`
// of them are 173, which is right. Where LEAVES is -1 all are written, and the byte behind the
// first one too, if there is room between two elements. A right config does its work many times
// over, so that a tuner that does not look lets a wrong one win.
#include <tunecheck/cpu_kernel.h>

namespace {

using In = tunecheck::Tensor<IN_TYPE>;
using Out = tunecheck::Tensor<OUT_TYPE>;

constexpr bool writes_between = LEAVES < 0;
constexpr int64_t first_written = writes_between ? 0 : LEAVES;

__attribute__((noinline)) void copy(In in, Out out, int alike) {
  for (int64_t i = first_written; i < out.size(0); ++i)
    out(i) = i < alike ? static_cast<OUT_TYPE>(173) : in(i);
}

}  // namespace

void faulty_bytes(In in, Out out, int alike) {
  constexpr int times_over = LEAVES == 0 ? 64 : 1;
  for (int time = 0; time < times_over; ++time)
    copy(in, out, alike);
  if (writes_between && out.stride(0) > 1) out.data()[1] = 0;
}
TUNECHECK_KERNEL(faulty_bytes)
