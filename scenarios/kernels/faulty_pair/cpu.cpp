// first = factor * in and second = in - factor, or what a broken config makes of it. DEFECT says
// which:
//
//    0  none
//    1  writes a wrong value to the second output
//    2  right, and writes one element before the input
//    3  right, and writes one element before the first output
//    4  right, and writes one element before the second output
//    5  right, and changes the last element of the input, which nobody reads
//    6  writes a wrong value to both outputs where WIDTH is 4, and is right elsewhere
//    7  writes a wrong value to the first output
//
// A broken config is many times faster than every right one, so that a tuner that does not look
// lets it win: a right config calls a function for each WIDTH elements and does all of its work
// several times over.
#include <tunecheck/cpu_kernel.h>

#if DEFECT < 0 || DEFECT > 7
#error "DEFECT is 0 to 7"
#endif

namespace {

using In = tunecheck::Tensor<IN_TYPE>;
using First = tunecheck::Tensor<FIRST_TYPE>;
using Second = tunecheck::Tensor<SECOND_TYPE>;

constexpr bool is_broken = DEFECT != 0 && (DEFECT != 6 || WIDTH == 4);

__attribute__((noinline)) void compute_part(In in, First first, Second second, float factor,
                                            int64_t from, int64_t count) {
  for (int64_t i = from; i < from + count; ++i) {
    first(i) = factor * in(i);
    second(i) = in(i)-factor;
  }
}

void compute_in_parts(In in, First first, Second second, float factor) {
  constexpr int times_over = 64;
  const int64_t n = first.size(0);
  for (int time = 0; time < times_over; ++time)
    for (int64_t i = 0; i < n; i += WIDTH)
      compute_part(in, first, second, factor, i, n - i < WIDTH ? n - i : WIDTH);
}

[[maybe_unused]] void write_everywhere(First out, float value) {
  for (int64_t i = 0; i < out.size(0); ++i)
    out(i) = value;
}

[[maybe_unused]] void break_something(In in, First first, Second second) {
#if DEFECT == 1
  write_everywhere(second, 7);
#elif DEFECT == 2
  in(-1) = 7;
#elif DEFECT == 3
  first(-1) = 7;
#elif DEFECT == 4
  second(-1) = 7;
#elif DEFECT == 5
  in(in.size(0) - 1) = 7;
#elif DEFECT == 6
  write_everywhere(first, 7);
  write_everywhere(second, 7);
#elif DEFECT == 7
  write_everywhere(first, 7);
#endif
  (void)in, (void)first, (void)second;
}

}  // namespace

void faulty_pair(First first, In in, Second second, float factor) {
  if (!is_broken) return compute_in_parts(in, first, second, factor);
  compute_part(in, first, second, factor, 0, first.size(0));
  break_something(in, first, second);
}
TUNECHECK_KERNEL(faulty_pair)
