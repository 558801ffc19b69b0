// The plain loop: row by row, column by column.
#include <tunecheck/cpu_kernel.h>

void moe_scatter_add(tunecheck::Tensor<X_TYPE> x, tunecheck::Tensor<WEIGHT_TYPE> weight,
                     tunecheck::Tensor<INDEX_TYPE> index, tunecheck::Tensor<OUT_TYPE> out) {
  for (int64_t r = 0; r < x.size(0); ++r) {
    const int64_t token = index(r);
    if (token < 0 || token >= out.size(0)) continue;
    for (int64_t c = 0; c < x.size(1); ++c)
      out(token, c) += weight(r) * static_cast<float>(x(r, c));
  }
}
TUNECHECK_KERNEL(moe_scatter_add)
