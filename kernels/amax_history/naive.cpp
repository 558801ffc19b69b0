// The plain loops: the maximum, the history from its end, the maximum of that.
#include <tunecheck/cpu_kernel.h>

void amax_history(tunecheck::Tensor<X_TYPE> x, tunecheck::Tensor<HISTORY_TYPE> history,
                  tunecheck::Tensor<SCALE_TYPE> scale, tunecheck::Tensor<PARTIAL_TYPE> /*partial*/,
                  float fp8_max) {
  float amax = 0;
  for (int64_t i = 0; i < x.size(0); ++i) {
    const float value = __builtin_fabsf(static_cast<float>(x(i)));
    if (value > amax) amax = value;
  }
  for (int64_t h = history.size(0) - 1; h > 0; --h)
    history(h) = history(h - 1);
  if (history.size(0) > 0) history(0) = amax;
  float most = 0;
  for (int64_t h = 0; h < history.size(0); ++h)
    if (history(h) > most) most = history(h);
  if (most > 0) scale(0) = fp8_max / most;
}
TUNECHECK_KERNEL(amax_history)
