// out = factor * in, or what a broken config makes of it. DEFECT says which, as in cpu.cpp; where a
// GPU has no such thing, the next of kin:
//
//    0  none
//    1  writes only the first half of the output
//    2  writes a wrong value, without reading the input
//    3  asks for more shared memory than any device has: the driver refuses the launch
//    4  writes through a null pointer
//    5  never ends
//    6  does not compile
//    7  traps, in the place of an abort
//    8  right, and writes one element past the end of the output
//    9  right, and changes the input
//   10  writes NaN
//   11  writes to an address that is not aligned, in the place of memory without end: a kernel can
//       take no more of that than was set aside for it
//   12  right, and writes between the first two elements of the output, where there is room
//
// A right config reads each element many times over, past the cache of its multiprocessor, and a
// wrong one once or not at all: where a defect returns, it is the faster one.
#include <tunecheck/gpu_kernel.h>

#if DEFECT == 6
#error "planted: this config does not compile"
#endif
#if DEFECT < 0 || DEFECT > 12
#error "DEFECT is 0 to 12"
#endif

namespace {

using In = tunecheck::Tensor<IN_TYPE>;
using Out = tunecheck::Tensor<OUT_TYPE>;

[[maybe_unused]] __device__ void scale_slowly(In in, Out out, float factor, int64_t i) {
  constexpr int times_over = 1024;
  for (int time = 0; time < times_over; ++time)
    out(i) = factor * *static_cast<const volatile IN_TYPE*>(&in(i));
}

[[maybe_unused]] __device__ void scale_once(In in, Out out, float factor, int64_t i) {
  out(i) = factor * in(i);
}

}  // namespace

// WIDTH elements a thread.
extern "C" __global__ void faulty_scale(In in, Out out, float factor) {
  const int64_t n = out.size(0);
  const int64_t first = tunecheck::global_index() * WIDTH;
  [[maybe_unused]] const bool is_first_thread = first == 0;
#if DEFECT == 4
  if (is_first_thread) *static_cast<volatile float*>(nullptr) = factor;
#elif DEFECT == 5
  // A variable of its own that never changes would be seen through.
  const volatile float* const never = out.data();
  while (n > 0 && *never != 1e30f) {
  }
#elif DEFECT == 7
  tunecheck::trap();
#elif DEFECT == 11
  // Four bytes at an odd address, in memory that is the kernel's own.
  char* const odd = reinterpret_cast<char*>(out.data()) + 1;
  if (is_first_thread) *reinterpret_cast<volatile float*>(odd) = factor;
#endif
  for (int64_t i = first; i < n && i < first + WIDTH; ++i) {
#if DEFECT == 0
    scale_slowly(in, out, factor, i);
#elif DEFECT == 1
    if (i < n / 2) scale_once(in, out, factor, i);
#elif DEFECT == 2
    out(i) = factor;
#elif DEFECT == 10
    out(i) = __int_as_float(0x7fc00000);
#else
    scale_once(in, out, factor, i);
#endif
  }
#if DEFECT == 8
  if (is_first_thread) out(n) = 0;
#elif DEFECT == 9
  if (is_first_thread && n > 0) in(0) += 1;
#elif DEFECT == 12
  if (is_first_thread && out.stride(0) > 1) out.data()[1] = 0;
#endif
}
