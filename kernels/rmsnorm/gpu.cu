// out = input / rms(input) * weight. A block of BLOCK threads normalizes a row. In a step each
// thread has VEC columns in flight: vectors of up to 16 bytes where the rows lie so, else a few
// single elements. A row of no more columns than that stays in registers, and the weights are on
// their way while the block adds up its squares; else the row is read twice.
#include <tunecheck/gpu_rows.h>

namespace {

using tunecheck::Row;
using tunecheck::Vector;

constexpr int vector_width = tunecheck::vector_width_of<VEC, INPUT_TYPE, WEIGHT_TYPE, OUT_TYPE>();

template <class T, int width, int columns, bool whole>
using Columns = tunecheck::Columns<T, BLOCK, width, columns, whole>;

template <int width, int columns, bool whole>
__device__ float squares_of(const Columns<INPUT_TYPE, width, columns, whole>& row, int begin,
                            int cols) {
  float squares = 0;
#pragma unroll
  for (int v = 0; v < columns / width; ++v) {
    if (!whole && tunecheck::column_of<BLOCK, width>(begin, v) >= cols) continue;
#pragma unroll
    for (int i = 0; i < width; ++i) {
      const float value = row.loaded[v].elements[i];
      squares += value * value;
    }
  }
  return squares;
}

template <int width, int columns, bool whole>
__device__ void store_scaled(Row<OUT_TYPE> out,
                             const Columns<INPUT_TYPE, width, columns, whole>& row,
                             const Columns<WEIGHT_TYPE, width, columns, whole>& weights, int begin,
                             int cols, float scale) {
#pragma unroll
  for (int v = 0; v < columns / width; ++v) {
    const int c = tunecheck::column_of<BLOCK, width>(begin, v);
    if (!whole && c >= cols) continue;
    Vector<OUT_TYPE, width> scaled;
#pragma unroll
    for (int i = 0; i < width; ++i)
      scaled.elements[i] = static_cast<float>(row.loaded[v].elements[i]) * scale *
                           static_cast<float>(weights.loaded[v].elements[i]);
    out.store<width>(c, scaled);
  }
}

__device__ float scale_of(float squares, int cols, float eps) {
  squares = tunecheck::block_reduce<BLOCK>(squares, tunecheck::Sum());
  return rsqrtf(squares / static_cast<float>(cols) + eps);
}

// `columns` are in flight a thread.
template <int width, int columns, bool whole>
__device__ void normalise(Row<INPUT_TYPE> input, Row<WEIGHT_TYPE> weight, Row<OUT_TYPE> out,
                          int cols, float eps) {
  constexpr int step = BLOCK * columns;
  Columns<INPUT_TYPE, width, columns, whole> row;
  Columns<WEIGHT_TYPE, width, columns, whole> weights;
  if (cols <= step) {
    row.load(input, 0, cols);
    weights.load(weight, 0, cols);
    const float scale = scale_of(squares_of<width, columns, whole>(row, 0, cols), cols, eps);
    store_scaled<width, columns, whole>(out, row, weights, 0, cols, scale);
    return;
  }
  float squares = 0;
  for (int begin = 0; begin < cols; begin += step) {
    row.load(input, begin, cols);
    squares += squares_of<width, columns, whole>(row, begin, cols);
  }
  const float scale = scale_of(squares, cols, eps);
  for (int begin = 0; begin < cols; begin += step) {
    row.load(input, begin, cols);
    weights.load(weight, begin, cols);
    store_scaled<width, columns, whole>(out, row, weights, begin, cols, scale);
  }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(BLOCK)
    rmsnorm(tunecheck::Tensor<INPUT_TYPE> input, tunecheck::Tensor<WEIGHT_TYPE> weight,
            tunecheck::Tensor<OUT_TYPE> out, float eps) {
  const int cols = static_cast<int>(input.size(1));  // a row has fewer than 2^31
  const int64_t row = blockIdx.x;
  if (row >= input.size(0)) return;  // the whole block
  const Row<INPUT_TYPE> in{&input(row, 0), input.stride(1)};
  const Row<WEIGHT_TYPE> scales{weight.data(), weight.stride(0)};
  const Row<OUT_TYPE> to{&out(row, 0), out.stride(1)};
  constexpr int single = VEC < 4 ? VEC : 4;  // more would take registers that vectors do not need
  const bool vectors = cols % vector_width == 0 && in.has_vectors<vector_width>() &&
                       scales.has_vectors<vector_width>() && to.has_vectors<vector_width>();
  if (!vectors)
    normalise<1, single, false>(in, scales, to, cols, eps);
  else if (cols > 0 && cols % (BLOCK * VEC) == 0)
    normalise<vector_width, VEC, true>(in, scales, to, cols, eps);
  else
    normalise<vector_width, VEC, false>(in, scales, to, cols, eps);
}
