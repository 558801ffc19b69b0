#include <tunecheck/reference.h>

void transpose_strided(tunecheck::Tensor<double> in, tunecheck::Tensor<double> out) {
  for (int64_t i = 0; i < in.size(0); ++i)
    for (int64_t j = 0; j < in.size(1); ++j)
      out(j, i) = in(i, j);
}
TUNECHECK_REFERENCE(transpose_strided)
