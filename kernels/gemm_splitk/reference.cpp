#include <tunecheck/reference.h>

void gemm_splitk(tunecheck::Tensor<double> a, tunecheck::Tensor<double> b,
                 tunecheck::Tensor<double> c) {
  for (int64_t i = 0; i < c.size(0); ++i)
    for (int64_t p = 0; p < a.size(1); ++p)
      for (int64_t j = 0; j < c.size(1); ++j)
        c(i, j) += a(i, p) * b(p, j);
}
TUNECHECK_REFERENCE(gemm_splitk)
