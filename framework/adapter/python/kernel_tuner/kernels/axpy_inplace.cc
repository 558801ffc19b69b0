// y = alpha * x + y, BLOCK elements at a time and UNROLL of them together.
#include "launch.h"

extern "C" float axpy_inplace(const float* x, float* y, float alpha, int n) {
  Launch launch("axpy_inplace", Argument(x, n), Argument(y, n));
  int i = 0;
  for (; i + BLOCK <= n; i += BLOCK)
    for (int b = 0; b < BLOCK; b += UNROLL)
      for (int u = 0; u < UNROLL; ++u)
        y[i + b + u] += alpha * x[i + b + u];
  for (; i < n; ++i)
    y[i] += alpha * x[i];
  return launch.end();
}
