// The inner loop of axpy_inplace.
#ifndef KERNELS_AXPY_INPLACE_SCALED_ADD_H
#define KERNELS_AXPY_INPLACE_SCALED_ADD_H

// y[0 .. block) += alpha * x[0 .. block). All loads of a step come before its stores, so that the
// compiler may use vectors without knowing that x and y are apart.
template <int block, int unroll, class X, class Y>
inline void scaled_add(const X* x, Y* y, Y alpha) {
  static_assert(block % unroll == 0, "a block is a whole number of steps");
  for (int i = 0; i < block; i += unroll) {
    Y sum[unroll];
    for (int u = 0; u < unroll; ++u)
      sum[u] = y[i + u] + alpha * static_cast<Y>(x[i + u]);
    for (int u = 0; u < unroll; ++u)
      y[i + u] = sum[u];
  }
}

#endif
