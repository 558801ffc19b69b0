// residual += input, then input = residual / rms(residual) * weight, row by row. The squares of
// BLOCK columns are summed in VEC lanes before they join the row's sum.
#include <tunecheck/cpu_kernel.h>

namespace {

// One row; `unit` says at compile time that its elements lie side by side.
template <class T, bool unit>
struct Row {
  T* __restrict__ data;
  int64_t step;
  T& operator[](int64_t column) const { return data[unit ? column : column * step]; }
};

template <bool unit, class Input, class Residual>
float add_and_sum_squares(Row<Input, unit> input, Row<Residual, unit> residual, int64_t cols) {
  float sum = 0;
  int64_t c = 0;
  for (; c + BLOCK <= cols; c += BLOCK) {
    float lanes[VEC] = {};
    for (int b = 0; b < BLOCK; b += VEC) {
      float added[VEC];
      for (int v = 0; v < VEC; ++v)
        added[v] = residual[c + b + v] + input[c + b + v];
      for (int v = 0; v < VEC; ++v) {
        residual[c + b + v] = added[v];
        lanes[v] += added[v] * added[v];
      }
    }
    for (int v = 0; v < VEC; ++v)
      sum += lanes[v];
  }
  for (; c < cols; ++c) {
    const float added = residual[c] + input[c];
    residual[c] = added;
    sum += added * added;
  }
  return sum;
}

// The row's residual is in the nearest caches still when it is read for the second time.
template <bool unit>
void scale_row(Row<INPUT_TYPE, unit> input, Row<RESIDUAL_TYPE, unit> residual,
               Row<WEIGHT_TYPE, unit> weight, float scale, int64_t cols) {
  INPUT_TYPE* __restrict__ const to = input.data;
  const RESIDUAL_TYPE* __restrict__ const from = residual.data;
  const WEIGHT_TYPE* __restrict__ const by = weight.data;
  if constexpr (unit)
    for (int64_t c = 0; c < cols; ++c)
      to[c] = from[c] * scale * by[c];
  else
    for (int64_t c = 0; c < cols; ++c)
      input[c] = residual[c] * scale * weight[c];
}

template <bool unit>
void normalize_rows(tunecheck::Tensor<INPUT_TYPE> input, tunecheck::Tensor<RESIDUAL_TYPE> residual,
                    tunecheck::Tensor<WEIGHT_TYPE> weight, float eps) {
  const int64_t cols = input.size(1);
  const Row<WEIGHT_TYPE, unit> scale_by{weight.data(), weight.stride(0)};
  for (int64_t r = 0; r < input.size(0); ++r) {
    const Row<INPUT_TYPE, unit> in{&input(r, 0), input.stride(1)};
    const Row<RESIDUAL_TYPE, unit> kept{&residual(r, 0), residual.stride(1)};
    const float squares = add_and_sum_squares(in, kept, cols);
    const float scale = 1 / __builtin_sqrtf(squares / static_cast<float>(cols) + eps);
    scale_row(in, kept, scale_by, scale, cols);
  }
}

}  // namespace

void fused_add_rmsnorm(tunecheck::Tensor<INPUT_TYPE> input,
                       tunecheck::Tensor<RESIDUAL_TYPE> residual,
                       tunecheck::Tensor<WEIGHT_TYPE> weight, float eps) {
  if (input.stride(1) == 1 && residual.stride(1) == 1 && weight.stride(0) == 1)
    normalize_rows<true>(input, residual, weight, eps);
  else
    normalize_rows<false>(input, residual, weight, eps);
}
TUNECHECK_KERNEL(fused_add_rmsnorm)
