// The plain loop: one line at a time, and after every sweep a look at how much it still changed.
#include <tunecheck/cpu_kernel.h>

int relax_until_converged(tunecheck::Tensor<FIELD_TYPE> field,
                          tunecheck::Tensor<SOURCE_TYPE> source, float conduction, float exchange,
                          float residual) {
  const int64_t points = field.size(1);
  const float diagonal = 1 + exchange + 2 * conduction;
  float* const memory = new float[static_cast<size_t>(3 * points)];
  float* const right = memory;
  float* from = right + points;
  float* to = from + points;
  int status = 0;
  for (int64_t line = 0; line < field.size(0) && status == 0; ++line) {
    for (int64_t p = 0; p < points; ++p) {
      from[p] = field(line, p);
      right[p] = from[p] + exchange * source(line, p);
    }
    float largest = residual + 1;
    for (int sweeps = 0; largest > residual && status == 0; ++sweeps) {
      if (sweeps == 100000) status = 2;
      largest = 0;
      for (int64_t p = 0; p < points; ++p) {
        const float before = from[p > 0 ? p - 1 : p];
        const float behind = from[p + 1 < points ? p + 1 : p];
        to[p] = (right[p] + conduction * (before + behind)) / diagonal;
        const float left = diagonal * __builtin_fabsf(to[p] - from[p]);
        if (left > largest) largest = left;
      }
      float* const swept = to;
      to = from;
      from = swept;
    }
    if (status != 0) break;
    for (int64_t p = 0; p < points; ++p)
      field(line, p) = from[p];
  }
  delete[] memory;
  return status;
}
TUNECHECK_KERNEL(relax_until_converged)
