#include <tunecheck/reference.h>

#include <cmath>

void fused_add_rmsnorm(tunecheck::Tensor<double> input, tunecheck::Tensor<double> residual,
                       tunecheck::Tensor<double> weight, double eps) {
  const int64_t cols = input.size(1);
  for (int64_t r = 0; r < input.size(0); ++r) {
    double squares = 0;
    for (int64_t c = 0; c < cols; ++c) {
      residual(r, c) += input(r, c);
      squares += residual(r, c) * residual(r, c);
    }
    const double rms = std::sqrt(squares / static_cast<double>(cols) + eps);
    for (int64_t c = 0; c < cols; ++c)
      input(r, c) = residual(r, c) / rms * weight(c);
  }
}
TUNECHECK_REFERENCE(fused_add_rmsnorm)
