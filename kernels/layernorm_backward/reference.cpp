#include <tunecheck/reference.h>

void layernorm_backward(tunecheck::Tensor<double> x, tunecheck::Tensor<double> dy,
                        tunecheck::Tensor<double> gamma, tunecheck::Tensor<double> mean,
                        tunecheck::Tensor<double> rstd, tunecheck::Tensor<double> dx,
                        tunecheck::Tensor<double> dgamma, tunecheck::Tensor<double> dbeta) {
  const int64_t cols = x.size(1);
  for (int64_t r = 0; r < x.size(0); ++r) {
    const auto normalized = [&](int64_t c) { return (x(r, c) - mean(r)) * rstd(r); };
    double mean_of_gradient = 0;
    double mean_of_product = 0;
    for (int64_t c = 0; c < cols; ++c) {
      const double gradient = gamma(c) * dy(r, c);
      mean_of_gradient += gradient / static_cast<double>(cols);
      mean_of_product += gradient * normalized(c) / static_cast<double>(cols);
    }
    for (int64_t c = 0; c < cols; ++c) {
      dx(r, c) =
          rstd(r) * (gamma(c) * dy(r, c) - mean_of_gradient - normalized(c) * mean_of_product);
      dgamma(c) += dy(r, c) * normalized(c);
      dbeta(c) += dy(r, c);
    }
  }
}
TUNECHECK_REFERENCE(layernorm_backward)
