// out = factor * in, or what a broken config makes of it. DEFECT says which:
//
//    0  none
//    1  writes only the first half of the output
//    2  writes a wrong value, without reading the input
//    3  asks for more than the device has
//    4  writes through a null pointer
//    5  never ends
//    6  does not compile
//    7  aborts
//    8  right, and writes one element past the end of the output
//    9  right, and changes the input
//   10  writes NaN
//   11  allocates memory without end, and uses it: only to be run under a memory limit
//   12  right, and writes between the first two elements of the output, where there is room
//   13  calls a function that nobody defines: it compiles, and cannot be loaded; on CPUs alone
//
// Where a defect returns at all it is many times faster than every right config, so that a tuner
// that only measures lets it win, on a busy machine too: a right config calls a function for each
// WIDTH elements and does all of its work several times over, a wrong one does neither.
#include <tunecheck/cpu_kernel.h>

#include <stdlib.h>
#include <unistd.h>

#if DEFECT == 6
#error "planted: this config does not compile"
#endif

float defined_nowhere(float factor);

namespace {

using In = tunecheck::Tensor<IN_TYPE>;
using Out = tunecheck::Tensor<OUT_TYPE>;

[[maybe_unused]] __attribute__((noinline)) void scale_part(const IN_TYPE* in, int64_t in_step,
                                                           OUT_TYPE* out, int64_t out_step,
                                                           int64_t count, float factor) {
  for (int64_t i = 0; i < count; ++i)
    out[i * out_step] = factor * in[i * in_step];
}

[[maybe_unused]] void scale_in_parts(In in, Out out, float factor) {
  constexpr int times_over = 64;
  const int64_t n = out.size(0);
  for (int time = 0; time < times_over; ++time)
    for (int64_t i = 0; i < n; i += WIDTH)
      scale_part(&in(i), in.stride(0), &out(i), out.stride(0), n - i < WIDTH ? n - i : WIDTH,
                 factor);
}

[[maybe_unused]] void scale_at_once(In in, Out out, float factor, int64_t n) {
  const IN_TYPE* const from = in.data();
  OUT_TYPE* const to = out.data();
  if (in.stride(0) == 1 && out.stride(0) == 1)
    for (int64_t i = 0; i < n; ++i)
      to[i] = factor * from[i];
  else
    scale_part(from, in.stride(0), to, out.stride(0), n, factor);
}

[[maybe_unused]] void write_everywhere(Out out, OUT_TYPE value) {
  const int64_t step = out.stride(0);
  for (int64_t i = 0; i < out.size(0); ++i)
    out.data()[i * step] = value;
}

}  // namespace

int faulty_scale([[maybe_unused]] In in, [[maybe_unused]] Out out, [[maybe_unused]] float factor) {
#if DEFECT == 0
  scale_in_parts(in, out, factor);
#elif DEFECT == 1
  scale_at_once(in, out, factor, out.size(0) / 2);
#elif DEFECT == 2
  write_everywhere(out, factor);
#elif DEFECT == 3
  return tunecheck::launch_out_of_resources;
#elif DEFECT == 4
  volatile float* volatile nowhere = nullptr;
  *nowhere = factor;
#elif DEFECT == 5
  // Without a core: what is measured beside it would be disturbed, for as long as its tuner waits.
  for (;;)
    pause();
#elif DEFECT == 7
  abort();
#elif DEFECT == 8
  scale_at_once(in, out, factor, out.size(0));
  out(out.size(0)) = 0;
#elif DEFECT == 9
  scale_at_once(in, out, factor, out.size(0));
  if (in.size(0) > 0) in(0) += 1;
#elif DEFECT == 10
  write_everywhere(out, __builtin_nanf(""));
#elif DEFECT == 11
  constexpr size_t chunk = size_t{64} << 20;
  for (;;) {
    char* volatile memory = static_cast<char*>(malloc(chunk));
    if (memory == nullptr) return tunecheck::launch_out_of_resources;
    for (size_t byte = 0; byte < chunk; byte += 4096)
      memory[byte] = 1;
  }
#elif DEFECT == 12
  scale_at_once(in, out, factor, out.size(0));
  if (out.stride(0) > 1) out.data()[1] = 0;
#elif DEFECT == 13
  write_everywhere(out, defined_nowhere(factor));
#else
#error "DEFECT is 0 to 13"
#endif
  return 0;
}
TUNECHECK_KERNEL(faulty_scale)
