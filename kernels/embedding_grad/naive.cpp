// The plain loop: token by token, column by column.
#include <tunecheck/cpu_kernel.h>

void embedding_grad(tunecheck::Tensor<GRAD_OUT_TYPE> grad_out, tunecheck::Tensor<INDEX_TYPE> index,
                    tunecheck::Tensor<GRAD_WEIGHT_TYPE> grad_weight) {
  for (int64_t t = 0; t < grad_out.size(0); ++t) {
    const int64_t row = index(t);
    if (row < 0 || row >= grad_weight.size(0)) continue;
    for (int64_t c = 0; c < grad_out.size(1); ++c)
      grad_weight(row, c) += static_cast<float>(grad_out(t, c));
  }
}
TUNECHECK_KERNEL(embedding_grad)
