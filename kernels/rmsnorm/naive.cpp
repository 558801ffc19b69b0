#include <tunecheck/cpu_kernel.h>

void rmsnorm(tunecheck::Tensor<INPUT_TYPE> input, tunecheck::Tensor<WEIGHT_TYPE> weight,
             tunecheck::Tensor<OUT_TYPE> out, float eps) {
  const int64_t cols = input.size(1);
  for (int64_t r = 0; r < input.size(0); ++r) {
    float squares = 0;
    for (int64_t c = 0; c < cols; ++c)
      squares += input(r, c) * input(r, c);
    const float scale = 1 / __builtin_sqrtf(squares / static_cast<float>(cols) + eps);
    for (int64_t c = 0; c < cols; ++c)
      out(r, c) = input(r, c) * scale * weight(c);
  }
}
TUNECHECK_KERNEL(rmsnorm)
