// Four walks of 512 steps in one thread, TOGETHER of them at a time. A step goes 5003 lines of 128
// bytes on.
#include <tunecheck/gpu_kernel.h>

extern "C" __global__ void pointer_chase(tunecheck::Tensor<NEXT_TYPE> next,
                                         tunecheck::Tensor<ENDS_TYPE> ends) {
  constexpr int walks = 4, steps = 512;
  constexpr int64_t stride = 5003 * 32;
  const int64_t n = next.size(0);
  for (int first = 0; first < walks; first += TOGETHER) {
    int64_t at[TOGETHER];
#pragma unroll
    for (int w = 0; w < TOGETHER; ++w)
      at[w] = (first + w) * n / walks;
    for (int step = 0; step < steps; ++step) {
#pragma unroll
      for (int w = 0; w < TOGETHER; ++w) {
        const int64_t to = next(at[w]) + stride;
        at[w] = to < n ? to : to - n;
      }
    }
#pragma unroll
    for (int w = 0; w < TOGETHER; ++w)
      ends(first + w) = static_cast<ENDS_TYPE>(at[w]);
  }
}
