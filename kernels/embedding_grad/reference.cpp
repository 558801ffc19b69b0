#include <tunecheck/reference.h>

void embedding_grad(tunecheck::Tensor<double> grad_out, tunecheck::Tensor<double> index,
                    tunecheck::Tensor<double> grad_weight) {
  for (int64_t t = 0; t < grad_out.size(0); ++t) {
    const auto row = static_cast<int64_t>(index(t));
    if (row < 0 || row >= grad_weight.size(0)) continue;
    for (int64_t c = 0; c < grad_out.size(1); ++c)
      grad_weight(row, c) += grad_out(t, c);
  }
}
TUNECHECK_REFERENCE(embedding_grad)
