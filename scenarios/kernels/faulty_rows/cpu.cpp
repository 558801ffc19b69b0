// out = factor * in, WIDTH elements of a row at a time. With SPOILS=1 it also writes behind the
// first element of the input, where no element lies if rows repeat one element each. That is many
// times faster: a right config does all of its work several times over, and calls a function for
// each WIDTH elements.
#include <tunecheck/cpu_kernel.h>

namespace {

using In = tunecheck::Tensor<IN_TYPE>;
using Out = tunecheck::Tensor<OUT_TYPE>;

__attribute__((noinline)) void scale_part(In in, Out out, float factor, int64_t row, int64_t from,
                                          int64_t count) {
  for (int64_t c = from; c < from + count; ++c)
    out(row, c) = factor * in(row, c);
}

}  // namespace

void faulty_rows(In in, Out out, float factor) {
  constexpr int times_over = SPOILS ? 1 : 64;
  constexpr int64_t width = SPOILS ? int64_t{1} << 20 : WIDTH;
  const int64_t cols = out.size(1);
  for (int time = 0; time < times_over; ++time)
    for (int64_t row = 0; row < out.size(0); ++row)
      for (int64_t c = 0; c < cols; c += width)
        scale_part(in, out, factor, row, c, cols - c < width ? cols - c : width);
  if (SPOILS && in.stride(1) == 0 && in.stride(0) > 1) in.data()[1] = 7;
}
TUNECHECK_KERNEL(faulty_rows)
