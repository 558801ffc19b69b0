// Four walks of 512 steps, TOGETHER of them at a time. A step goes 5003 lines of 128 bytes on.
#include <tunecheck/cpu_kernel.h>

void pointer_chase(tunecheck::Tensor<NEXT_TYPE> next, tunecheck::Tensor<ENDS_TYPE> ends) {
  constexpr int walks = 4, steps = 512;
  constexpr int64_t stride = 5003 * 32;
  const int64_t n = next.size(0);
  for (int first = 0; first < walks; first += TOGETHER) {
    int64_t at[TOGETHER];
    for (int w = 0; w < TOGETHER; ++w)
      at[w] = (first + w) * n / walks;
    for (int step = 0; step < steps; ++step)
      for (int w = 0; w < TOGETHER; ++w)
        at[w] = (next(at[w]) + stride) % n;
    for (int w = 0; w < TOGETHER; ++w)
      ends(first + w) = static_cast<ENDS_TYPE>(at[w]);
  }
}
TUNECHECK_KERNEL(pointer_chase)
