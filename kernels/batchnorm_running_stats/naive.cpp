#include <tunecheck/cpu_kernel.h>

void batchnorm_running_stats(tunecheck::Tensor<X_TYPE> x, tunecheck::Tensor<WEIGHT_TYPE> weight,
                             tunecheck::Tensor<BIAS_TYPE> bias,
                             tunecheck::Tensor<RUNNING_MEAN_TYPE> running_mean,
                             tunecheck::Tensor<RUNNING_VAR_TYPE> running_var,
                             tunecheck::Tensor<Y_TYPE> y, float momentum, float eps) {
  const int64_t rows = x.size(0);
  if (rows == 0) return;
  for (int64_t c = 0; c < x.size(1); ++c) {
    float sum = 0;
    for (int64_t r = 0; r < rows; ++r)
      sum += x(r, c);
    const float mean = sum / static_cast<float>(rows);
    float squares = 0;
    for (int64_t r = 0; r < rows; ++r)
      squares += (x(r, c) - mean) * (x(r, c) - mean);
    const float scale = weight(c) / __builtin_sqrtf(squares / static_cast<float>(rows) + eps);
    for (int64_t r = 0; r < rows; ++r)
      y(r, c) = (x(r, c) - mean) * scale + bias(c);
    const float unbiased = rows > 1 ? squares / static_cast<float>(rows - 1) : 0;
    running_mean(c) += momentum * (mean - running_mean(c));
    running_var(c) += momentum * (unbiased - running_var(c));
  }
}
TUNECHECK_KERNEL(batchnorm_running_stats)
