// The first 64 elements of `state` go through 400 steps of x = (1 - 1/1024) x + 1/64. A step waits
// for the one before it, so the config that advances more elements together (CHAINS) is faster.
#include <tunecheck/cpu_kernel.h>

namespace {
constexpr int64_t touched = 64;
constexpr int steps = 400;
}  // namespace

void slow_restore(tunecheck::Tensor<STATE_TYPE> state) {
  const int64_t n = state.size(0) < touched ? state.size(0) : touched;
  for (int64_t i = 0; i < n; i += CHAINS) {
    const int64_t together = n - i < CHAINS ? n - i : CHAINS;
    STATE_TYPE x[CHAINS] = {};
    for (int64_t c = 0; c < together; ++c)
      x[c] = state(i + c);
    for (int step = 0; step < steps; ++step)
      for (int c = 0; c < CHAINS; ++c)
        x[c] = x[c] * 0.9990234375F + 0.015625F;
    for (int64_t c = 0; c < together; ++c)
      state(i + c) = x[c];
  }
}
TUNECHECK_KERNEL(slow_restore)
