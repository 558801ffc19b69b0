// first = factor * in and second = in - factor, or what a broken config makes of it. DEFECT says
// which, as in cpu.cpp:
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
// A right config reads each element many times over, past the cache of its multiprocessor, and a
// broken one once: a tuner that does not look lets the broken one win.
#include <tunecheck/gpu_kernel.h>

#if DEFECT < 0 || DEFECT > 7
#error "DEFECT is 0 to 7"
#endif

namespace {

using In = tunecheck::Tensor<IN_TYPE>;
using First = tunecheck::Tensor<FIRST_TYPE>;
using Second = tunecheck::Tensor<SECOND_TYPE>;

constexpr float wrong_value = 7;
constexpr bool is_broken = DEFECT != 0 && (DEFECT != 6 || WIDTH == 4);
constexpr bool is_first_wrong = is_broken && (DEFECT == 6 || DEFECT == 7);
constexpr bool is_second_wrong = is_broken && (DEFECT == 1 || DEFECT == 6);

__device__ void compute(In in, First first, Second second, float factor, int64_t i) {
  constexpr int times_over = is_broken ? 1 : 1024;
  for (int time = 0; time < times_over; ++time) {
    const float value = *static_cast<const volatile IN_TYPE*>(&in(i));
    first(i) = is_first_wrong ? wrong_value : factor * value;
    second(i) = is_second_wrong ? wrong_value : value - factor;
  }
}

__device__ void break_something(In in, First first, Second second) {
  if (DEFECT == 2) in(-1) = wrong_value;
  if (DEFECT == 3) first(-1) = wrong_value;
  if (DEFECT == 4) second(-1) = wrong_value;
  if (DEFECT == 5) in(in.size(0) - 1) = wrong_value;
}

}  // namespace

// WIDTH elements per thread.
extern "C" __global__ void faulty_pair(First first, In in, Second second, float factor) {
  const int64_t n = first.size(0);
  const int64_t from = tunecheck::global_index() * WIDTH;
  for (int64_t i = from; i < n && i < from + WIDTH; ++i)
    compute(in, first, second, factor, i);
  if (from == 0) break_something(in, first, second);
}
