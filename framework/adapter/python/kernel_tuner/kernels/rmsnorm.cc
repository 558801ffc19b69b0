// out = input / rms(input) * weight, row by row; the squares are summed in VEC lanes.
#include "launch.h"
#include "sum_squares.h"

extern "C" float rmsnorm(const float* input, const float* weight, float* out, float eps, int rows,
                         int cols) {
  Launch launch("rmsnorm", Argument(input, rows, cols), Argument(weight, cols),
                Argument(out, rows, cols));
  for (int r = 0; r < rows; ++r) {
    const float* const from = input + static_cast<int64_t>(r) * cols;
    float* const to = out + static_cast<int64_t>(r) * cols;
    const float mean = sum_squares<BLOCK, VEC>(from, cols) / static_cast<float>(cols);
    const float scale = 1 / __builtin_sqrtf(mean + eps);
    for (int c = 0; c < cols; ++c)
      to[c] = from[c] * scale * weight[c];
  }
  return launch.end();
}
