#include <tunecheck/reference.h>

#include <cmath>

void rmsnorm(tunecheck::Tensor<double> input, tunecheck::Tensor<double> weight,
             tunecheck::Tensor<double> out, double eps) {
  const int64_t cols = input.size(1);
  for (int64_t r = 0; r < input.size(0); ++r) {
    double squares = 0;
    for (int64_t c = 0; c < cols; ++c)
      squares += input(r, c) * input(r, c);
    const double rms = std::sqrt(squares / static_cast<double>(cols) + eps);
    for (int64_t c = 0; c < cols; ++c)
      out(r, c) = input(r, c) / rms * weight(c);
  }
}
TUNECHECK_REFERENCE(rmsnorm)
