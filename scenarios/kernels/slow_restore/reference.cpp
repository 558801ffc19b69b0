#include <tunecheck/reference.h>

void slow_restore(tunecheck::Tensor<double> state) {
  for (int64_t i = 0; i < state.size(0) && i < 64; ++i)
    for (int step = 0; step < 400; ++step)
      state(i) = state(i) * 0.9990234375 + 0.015625;
}
TUNECHECK_REFERENCE(slow_restore)
