// out = input / rms(input) * weight, row by row. The squares of BLOCK columns are summed in VEC
// lanes before they join the row's sum.
#include <tunecheck/cpu_kernel.h>
#include <tunecheck/streamed.h>

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

template <bool unit>
void normalize_rows(tunecheck::Tensor<INPUT_TYPE> input, tunecheck::Tensor<WEIGHT_TYPE> weight,
                    tunecheck::Tensor<OUT_TYPE> out, float eps) {
  const int64_t rows = input.size(0);
  const int64_t cols = input.size(1);
  const Row<WEIGHT_TYPE, unit> scale_by{weight.data(), weight.stride(0)};
  const bool streamed = tunecheck::streams_well(rows * cols * int64_t{sizeof(OUT_TYPE)});
  for (int64_t r = 0; r < rows; ++r) {
    const Row<INPUT_TYPE, unit> from{&input(r, 0), input.stride(1)};
    const Row<OUT_TYPE, unit> to{&out(r, 0), out.stride(1)};
    const float mean = sum_squares(from, cols) / static_cast<float>(cols);
    const float scale = 1 / __builtin_sqrtf(mean + eps);
    const auto result = [&](int64_t c) { return from[c] * scale * scale_by[c]; };
    if (!unit || !streamed) {
      for (int64_t c = 0; c < cols; ++c)
        to[c] = result(c);
      continue;
    }
    // The next row comes while this one is written, and is in the nearest caches when it is summed.
    const INPUT_TYPE* const next = r + 1 < rows ? &input(r + 1, 0) : from.data;
    for (int64_t first = 0; first < cols; first += BLOCK) {
      const int64_t count = cols - first < BLOCK ? cols - first : BLOCK;
      tunecheck::fetch(next + first, count);
      tunecheck::stream(to.data + first, count, [&](int64_t c) { return result(first + c); });
    }
  }
  if (streamed) tunecheck::end_of_streams();
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
