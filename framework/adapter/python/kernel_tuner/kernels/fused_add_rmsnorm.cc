// residual += input, then input = residual / rms(residual) * weight, row by row.
#include "launch.h"
#include "sum_squares.h"

extern "C" float fused_add_rmsnorm(float* input, float* residual, const float* weight, float eps,
                                   int rows, int cols) {
  Launch launch("fused_add_rmsnorm", Argument(input, rows, cols), Argument(residual, rows, cols),
                Argument(weight, cols));
  for (int r = 0; r < rows; ++r) {
    float* const in = input + static_cast<int64_t>(r) * cols;
    float* const kept = residual + static_cast<int64_t>(r) * cols;
    for (int c = 0; c < cols; ++c)
      kept[c] += in[c];
    const float mean = sum_squares<BLOCK, VEC>(kept, cols) / static_cast<float>(cols);
    const float scale = 1 / __builtin_sqrtf(mean + eps);
    for (int c = 0; c < cols; ++c)
      in[c] = kept[c] * scale * weight[c];
  }
  return launch.end();
}
