// out = input / rms(input) * weight. A block of BLOCK threads normalizes ROWS_PER_BLOCK rows, one
// after the other. In a step each thread has VEC columns in flight: vectors of up to 16 bytes where
// the rows lie so, else a few single elements. A row of no more columns than that stays in
// registers, and what the block needs next is on its way while it adds up its squares: the next
// row, or the weights if it has only one; else the row is read twice.
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

// The rows that this block has: every gridDim.x-th from its own number on, so that all blocks
// together move through neighbouring memory.
struct Rows {
  const tunecheck::Tensor<INPUT_TYPE>& input;
  const tunecheck::Tensor<OUT_TYPE>& out;

  __device__ Row<INPUT_TYPE> input_at(int64_t row) const {
    return {&input(row, 0), input.stride(1)};
  }
  __device__ Row<OUT_TYPE> out_at(int64_t row) const { return {&out(row, 0), out.stride(1)}; }
  __device__ int64_t count() const { return input.size(0); }
};

// For rows of no more than BLOCK * columns columns: the next one is asked for before this one is
// waited for. A barrier a row is enough, because rows take turns in shared memory.
template <int width, int columns, bool whole>
__device__ void normalise_ahead(const Rows& rows, Row<WEIGHT_TYPE> weight, int cols, float eps) {
  __shared__ float parts[2][BLOCK / 32];
  int64_t number = blockIdx.x;
  Columns<INPUT_TYPE, width, columns, whole> row;
  Columns<WEIGHT_TYPE, width, columns, whole> weights;
  row.load(rows.input_at(number), 0, cols);
  weights.load(weight, 0, cols);
#pragma unroll 1
  for (int turn = 0; number < rows.count(); turn = 1 - turn) {
    const int64_t next = number + gridDim.x;
    Columns<INPUT_TYPE, width, columns, whole> next_row;
    if (next < rows.count()) next_row.load(rows.input_at(next), 0, cols);
    const float squares = tunecheck::block_reduce_in<BLOCK>(
        parts[turn], squares_of<width, columns, whole>(row, 0, cols), tunecheck::Sum());
    const float scale = rsqrtf(squares / static_cast<float>(cols) + eps);
    store_scaled<width, columns, whole>(rows.out_at(number), row, weights, 0, cols, scale);
    row = next_row;
    number = next;
  }
}

template <int width, int columns, bool whole>
__device__ void normalise_rows(const Rows& rows, Row<WEIGHT_TYPE> weight, int cols, float eps) {
  const auto one = [&](int64_t row) {
    normalise<width, columns, whole>(rows.input_at(row), weight, rows.out_at(row), cols, eps);
  };
  if constexpr (ROWS_PER_BLOCK == 1) {
    one(blockIdx.x);
  } else if (cols <= BLOCK * columns) {
    normalise_ahead<width, columns, whole>(rows, weight, cols, eps);
  } else {
#pragma unroll 1
    for (int64_t row = blockIdx.x; row < rows.count(); row += gridDim.x)
      one(row);
  }
}

// This row, the next one and the weights are in registers.
constexpr int together =
    ROWS_PER_BLOCK == 1
        ? 1
        : tunecheck::blocks_with_registers<BLOCK>(
              VEC * static_cast<int>(2 * sizeof(INPUT_TYPE) + sizeof(WEIGHT_TYPE)) / 4);

}  // namespace

extern "C" __global__ void __launch_bounds__(BLOCK, together)
    rmsnorm(tunecheck::Tensor<INPUT_TYPE> input, tunecheck::Tensor<WEIGHT_TYPE> weight,
            tunecheck::Tensor<OUT_TYPE> out, float eps) {
  const int cols = static_cast<int>(input.size(1));  // a row has fewer than 2^31
  const Rows rows{input, out};
  if (blockIdx.x >= rows.count()) return;  // the whole block
  const Row<WEIGHT_TYPE> scales{weight.data(), weight.stride(0)};
  constexpr int single = VEC < 4 ? VEC : 4;  // more would take registers that vectors do not need
  const bool vectors =
      cols % vector_width == 0 && tunecheck::rows_have_vectors<vector_width>(input) &&
      scales.has_vectors<vector_width>() && tunecheck::rows_have_vectors<vector_width>(out);
  if (!vectors)
    normalise_rows<1, single, false>(rows, scales, cols, eps);
  else if (cols > 0 && cols % (BLOCK * VEC) == 0)
    normalise_rows<vector_width, VEC, true>(rows, scales, cols, eps);
  else
    normalise_rows<vector_width, VEC, false>(rows, scales, cols, eps);
}
