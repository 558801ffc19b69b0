// The inner loop of axpy_inplace.
#ifndef KERNELS_AXPY_INPLACE_SCALED_ADD_H
#define KERNELS_AXPY_INPLACE_SCALED_ADD_H

// y[0 .. block) += alpha * x[0 .. block), computed in Number. All loads of a step come before its
// stores, and the compiler keeps the steps apart: how many elements are in registers at a time is
// for the config to say.
template <int block, int unroll, class X, class Y, class Number>
inline void scaled_add(const X* x, Y* y, Number alpha) {
  static_assert(block % unroll == 0, "a block is a whole number of steps");
  for (int i = 0; i < block; i += unroll) {
    Y sum[unroll];
    for (int u = 0; u < unroll; ++u)
      sum[u] = static_cast<Y>(static_cast<Number>(y[i + u]) + alpha * x[i + u]);
    __builtin_memcpy(y + i, sum, sizeof sum);
    asm volatile("" ::: "memory");
  }
}

#endif
