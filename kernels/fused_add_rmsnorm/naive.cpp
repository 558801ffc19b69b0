#include <tunecheck/cpu_kernel.h>

void fused_add_rmsnorm(tunecheck::Tensor<INPUT_TYPE> input,
                       tunecheck::Tensor<RESIDUAL_TYPE> residual,
                       tunecheck::Tensor<WEIGHT_TYPE> weight, float eps) {
  const int64_t cols = input.size(1);
  for (int64_t r = 0; r < input.size(0); ++r) {
    float squares = 0;
    for (int64_t c = 0; c < cols; ++c) {
      const float sum = residual(r, c) + input(r, c);
      residual(r, c) = sum;
      squares += sum * sum;
    }
    const float scale = 1 / __builtin_sqrtf(squares / static_cast<float>(cols) + eps);
    for (int64_t c = 0; c < cols; ++c)
      input(r, c) = residual(r, c) * scale * weight(c);
  }
}
TUNECHECK_KERNEL(fused_add_rmsnorm)
