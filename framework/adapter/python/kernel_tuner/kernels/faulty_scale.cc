// out = factor * in, or what a broken config makes of it: DEFECT has the meaning that it has in
// scenarios/kernels/faulty_scale/cpu.cpp. What returns at all is much faster than what is right.
#include "launch.h"

#if DEFECT == 6
#error "planted: this config does not compile"
#endif

namespace {

[[maybe_unused]] __attribute__((noinline)) void scale_part(const float* in, float* out, int count,
                                                           float factor) {
  for (int i = 0; i < count; ++i)
    out[i] = factor * in[i];
}

[[maybe_unused]] void scale_in_parts(const float* in, float* out, int n, float factor) {
  constexpr int times_over = 8;
  for (int time = 0; time < times_over; ++time)
    for (int i = 0; i < n; i += WIDTH)
      scale_part(in + i, out + i, n - i < WIDTH ? n - i : WIDTH, factor);
}

int scale([[maybe_unused]] float* in, [[maybe_unused]] float* out, [[maybe_unused]] int n,
          [[maybe_unused]] float factor) {
#if DEFECT == 0
  scale_in_parts(in, out, n, factor);
#elif DEFECT == 1
  scale_part(in, out, n / 2, factor);
#elif DEFECT == 2 || DEFECT == 10
  for (int i = 0; i < n; ++i)
    out[i] = DEFECT == 10 ? __builtin_nanf("") : factor;
#elif DEFECT == 3
  return tunecheck::launch_out_of_resources;
#elif DEFECT == 8
  scale_part(in, out, n, factor);
  out[n] = 0;
#elif DEFECT == 9
  scale_part(in, out, n, factor);
  if (n > 0) in[0] += 1;
#else
#error "DEFECT is 0 to 3, 6, or 8 to 10"
#endif
  return 0;
}

}  // namespace

extern "C" float faulty_scale(float* in, float* out, float factor, int n) {
  Launch launch("faulty_scale", Argument(in, n), Argument(out, n));
  return launch.end(scale(in, out, n, factor));
}
