#include <tunecheck/cpu_kernel.h>

void gemm_beta(tunecheck::Tensor<A_TYPE> a, tunecheck::Tensor<B_TYPE> b,
               tunecheck::Tensor<C_TYPE> c, float alpha, float beta) {
  for (int64_t i = 0; i < c.size(0); ++i)
    for (int64_t j = 0; j < c.size(1); ++j) {
      float sum = 0;
      for (int64_t p = 0; p < a.size(1); ++p)
        sum += a(i, p) * b(p, j);
      c(i, j) = alpha * sum + beta * c(i, j);
    }
}
TUNECHECK_KERNEL(gemm_beta)
