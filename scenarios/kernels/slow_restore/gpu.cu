// The first 64 elements of `state` go through 400 steps of x = (1 - 1/1024) x + 1/64; a thread
// advances CHAINS of them together.
#include <tunecheck/gpu_kernel.h>

extern "C" __global__ void slow_restore(tunecheck::Tensor<STATE_TYPE> state) {
  constexpr int64_t touched = 64;
  constexpr int steps = 400;
  const int64_t n = state.size(0) < touched ? state.size(0) : touched;
  const int64_t first = tunecheck::global_index() * CHAINS;
  STATE_TYPE x[CHAINS];
#pragma unroll
  for (int c = 0; c < CHAINS; ++c)
    x[c] = first + c < n ? state(first + c) : STATE_TYPE(0);
  for (int step = 0; step < steps; ++step) {
#pragma unroll
    for (int c = 0; c < CHAINS; ++c)
      x[c] = x[c] * 0.9990234375F + 0.015625F;
  }
#pragma unroll
  for (int c = 0; c < CHAINS; ++c)
    if (first + c < n) state(first + c) = x[c];
}
