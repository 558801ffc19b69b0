// out = input / rms(input) * weight, row by row. The squares of BLOCK columns are summed in VEC
// lanes before they join the row's sum.
#include <tunecheck/cpu_kernel.h>

#include "streaming.h"

namespace {

// One row; `unit` says at compile time that its elements lie side by side.
template <class T, bool unit>
struct Row {
  T* data;
  int64_t step;
  T& operator[](int64_t column) const { return data[unit ? column : column * step]; }
};

template <class T, bool unit>
float sum_squares(Row<T, unit> row, int64_t cols) {
  float sum = 0;
  int64_t c = 0;
  for (; c + BLOCK <= cols; c += BLOCK) {
    float lanes[VEC] = {};
    for (int b = 0; b < BLOCK; b += VEC)
      for (int v = 0; v < VEC; ++v) {
        const float value = row[c + b + v];
        lanes[v] += value * value;
      }
    for (int v = 0; v < VEC; ++v)
      sum += lanes[v];
  }
  for (; c < cols; ++c)
    sum += static_cast<float>(row[c]) * static_cast<float>(row[c]);
  return sum;
}

// to[0 .. cols) = from[0 .. cols) * scale * weight[0 .. cols), around the caches. Meanwhile the row
// at `next` is fetched: nothing else is read here that is not in the nearest cache.
void stream_scaled(const INPUT_TYPE* from, const WEIGHT_TYPE* weight, OUT_TYPE* to, float scale,
                   int64_t cols, const INPUT_TYPE* next) {
  constexpr int line = 64 / sizeof(INPUT_TYPE);
  int64_t c = 0;
  for (; c < cols && reinterpret_cast<uintptr_t>(to + c) % streaming_width != 0; ++c)
    to[c] = from[c] * scale * weight[c];
  for (; c + line <= cols; c += line) {
    __builtin_prefetch(next + c);
    OUT_TYPE scaled[line];
    for (int i = 0; i < line; ++i)
      scaled[i] = from[c + i] * scale * weight[c + i];
    for (int i = 0; i < line; i += streaming_width / static_cast<int>(sizeof(OUT_TYPE)))
      stream(to + c + i, scaled + i);
  }
  for (; c < cols; ++c)
    to[c] = from[c] * scale * weight[c];
}

template <bool unit>
void normalize_rows(tunecheck::Tensor<INPUT_TYPE> input, tunecheck::Tensor<WEIGHT_TYPE> weight,
                    tunecheck::Tensor<OUT_TYPE> out, float eps) {
  const int64_t rows = input.size(0);
  const int64_t cols = input.size(1);
  const Row<WEIGHT_TYPE, unit> scale_by{weight.data(), weight.stride(0)};
  const bool far = unit && rows * cols * static_cast<int64_t>(sizeof(OUT_TYPE)) >= streaming_from;
  for (int64_t r = 0; r < rows; ++r) {
    const Row<INPUT_TYPE, unit> from{&input(r, 0), input.stride(1)};
    const Row<OUT_TYPE, unit> to{&out(r, 0), out.stride(1)};
    const float mean = sum_squares(from, cols) / static_cast<float>(cols);
    const float scale = 1 / __builtin_sqrtf(mean + eps);
    if (far)
      stream_scaled(from.data, scale_by.data, to.data, scale, cols,
                    &input(r + 1 < rows ? r + 1 : r, 0));
    else
      for (int64_t c = 0; c < cols; ++c)
        to[c] = from[c] * scale * scale_by[c];
  }
  if (far) finish_streaming();
}

}  // namespace

void rmsnorm(tunecheck::Tensor<INPUT_TYPE> input, tunecheck::Tensor<WEIGHT_TYPE> weight,
             tunecheck::Tensor<OUT_TYPE> out, float eps) {
  if (input.stride(1) == 1 && weight.stride(0) == 1 && out.stride(1) == 1)
    normalize_rows<true>(input, weight, out, eps);
  else
    normalize_rows<false>(input, weight, out, eps);
}
TUNECHECK_KERNEL(rmsnorm)
