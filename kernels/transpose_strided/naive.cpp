#include <tunecheck/cpu_kernel.h>

void transpose_strided(tunecheck::Tensor<IN_TYPE> in, tunecheck::Tensor<OUT_TYPE> out) {
  for (int64_t i = 0; i < in.size(0); ++i)
    for (int64_t j = 0; j < in.size(1); ++j)
      out(j, i) = in(i, j);
}
TUNECHECK_KERNEL(transpose_strided)
