#include <tunecheck/reference.h>

#include <cmath>

void batchnorm_running_stats(tunecheck::Tensor<double> x, tunecheck::Tensor<double> weight,
                             tunecheck::Tensor<double> bias, tunecheck::Tensor<double> running_mean,
                             tunecheck::Tensor<double> running_var, tunecheck::Tensor<double> y,
                             double momentum, double eps) {
  const int64_t rows = x.size(0);
  for (int64_t c = 0; c < x.size(1) && rows > 0; ++c) {
    double sum = 0;
    for (int64_t r = 0; r < rows; ++r)
      sum += x(r, c);
    const double mean = sum / static_cast<double>(rows);
    double squares = 0;
    for (int64_t r = 0; r < rows; ++r)
      squares += (x(r, c) - mean) * (x(r, c) - mean);
    const double deviation = std::sqrt(squares / static_cast<double>(rows) + eps);
    for (int64_t r = 0; r < rows; ++r)
      y(r, c) = (x(r, c) - mean) / deviation * weight(c) + bias(c);
    // The unbiased variance; of one row it is taken to be 0.
    const double unbiased = rows > 1 ? squares / static_cast<double>(rows - 1) : 0;
    running_mean(c) = (1 - momentum) * running_mean(c) + momentum * mean;
    running_var(c) = (1 - momentum) * running_var(c) + momentum * unbiased;
  }
}
TUNECHECK_REFERENCE(batchnorm_running_stats)
