#include <tunecheck/cpu_kernel.h>

void layernorm_backward(tunecheck::Tensor<X_TYPE> x, tunecheck::Tensor<DY_TYPE> dy,
                        tunecheck::Tensor<GAMMA_TYPE> gamma, tunecheck::Tensor<MEAN_TYPE> mean,
                        tunecheck::Tensor<RSTD_TYPE> rstd, tunecheck::Tensor<DX_TYPE> dx,
                        tunecheck::Tensor<DGAMMA_TYPE> dgamma,
                        tunecheck::Tensor<DBETA_TYPE> dbeta) {
  const int64_t cols = x.size(1);
  for (int64_t r = 0; r < x.size(0); ++r) {
    float sum = 0;
    float sum_of_products = 0;
    for (int64_t c = 0; c < cols; ++c) {
      const float normalized = (x(r, c) - mean(r)) * rstd(r);
      const float gradient = gamma(c) * dy(r, c);
      sum += gradient;
      sum_of_products += gradient * normalized;
      dgamma(c) += dy(r, c) * normalized;
      dbeta(c) += dy(r, c);
    }
    sum /= static_cast<float>(cols);
    sum_of_products /= static_cast<float>(cols);
    for (int64_t c = 0; c < cols; ++c) {
      const float normalized = (x(r, c) - mean(r)) * rstd(r);
      dx(r, c) = rstd(r) * (gamma(c) * dy(r, c) - sum - normalized * sum_of_products);
    }
  }
}
TUNECHECK_KERNEL(layernorm_backward)
