// One block of BLOCK threads for ROWS_PER_BLOCK rows, one after the other. A thread has VEC columns
// in flight: vectors of up to 16 bytes where the rows lie so, else single elements, in both cases
// such that neighbouring threads touch neighbouring memory. All of them are asked for before the
// first is used. Where a row has no more than BLOCK * VEC columns, its sums stay in registers and
// are never read back, and what the block needs next is on its way while it adds up its squares:
// the next row, or the weights if it has only one; else a thread reads back what it wrote itself.
#include <tunecheck/gpu_rows.h>

namespace {

using tunecheck::Row;
using tunecheck::Vector;

constexpr int vector_width =
    tunecheck::vector_width_of<VEC, INPUT_TYPE, RESIDUAL_TYPE, WEIGHT_TYPE>();

template <class T, int width, int columns, bool whole>
using Columns = tunecheck::Columns<T, BLOCK, width, columns, whole>;

template <int width>
__device__ int column_of(int begin, int v) {
  return tunecheck::column_of<BLOCK, width>(begin, v);
}

// A thread's columns of one row before anything is added.
template <int width, int columns, bool whole>
struct Loaded {
  Columns<RESIDUAL_TYPE, width, columns, whole> kept;
  Columns<INPUT_TYPE, width, columns, whole> in;

  __device__ void load(Row<INPUT_TYPE> input, Row<RESIDUAL_TYPE> residual, int begin, int cols) {
    kept.load(residual, begin, cols);
    in.load(input, begin, cols);
  }
  // Stores the sums as well, and returns the thread's part of the sum of their squares.
  __device__ float add(Row<RESIDUAL_TYPE> residual, int begin, int cols,
                       float (&sums)[columns]) const {
    float squares = 0;
#pragma unroll
    for (int v = 0; v < columns / width; ++v) {
      const int c = column_of<width>(begin, v);
      if (!whole && c >= cols) continue;
      Vector<RESIDUAL_TYPE, width> rounded;
#pragma unroll
      for (int i = 0; i < width; ++i) {
        const float sum = static_cast<float>(kept.loaded[v].elements[i]) +
                          static_cast<float>(in.loaded[v].elements[i]);
        sums[v * width + i] = sum;
        rounded.elements[i] = sum;
        squares += sum * sum;
      }
      residual.store<width>(c, rounded);
    }
    return squares;
  }
};

template <int width, int columns, bool whole>
__device__ float add_rows(Row<INPUT_TYPE> input, Row<RESIDUAL_TYPE> residual, int begin, int cols,
                          float (&sums)[columns]) {
  Loaded<width, columns, whole> loaded;
  loaded.load(input, residual, begin, cols);
  return loaded.add(residual, begin, cols, sums);
}

template <int width, int columns, bool whole>
__device__ void scale_rows(Row<INPUT_TYPE> input,
                           const Columns<WEIGHT_TYPE, width, columns, whole>& weights, int begin,
                           int cols, float scale, const float (&sums)[columns]) {
#pragma unroll
  for (int v = 0; v < columns / width; ++v) {
    const int c = column_of<width>(begin, v);
    if (!whole && c >= cols) continue;
    Vector<INPUT_TYPE, width> scaled;
#pragma unroll
    for (int i = 0; i < width; ++i)
      scaled.elements[i] =
          sums[v * width + i] * scale * static_cast<float>(weights.loaded[v].elements[i]);
    input.store<width>(c, scaled);
  }
}

template <int width, int columns, bool whole>
__device__ void read_back(Row<RESIDUAL_TYPE> residual, int begin, int cols,
                          float (&sums)[columns]) {
  Columns<RESIDUAL_TYPE, width, columns, whole> kept;
  kept.load(residual, begin, cols);
#pragma unroll
  for (int v = 0; v < columns / width; ++v)
#pragma unroll
    for (int i = 0; i < width; ++i)
      sums[v * width + i] = static_cast<float>(kept.loaded[v].elements[i]);
}

__device__ float scale_of(float squares, int cols, float eps) {
  squares = tunecheck::block_reduce<BLOCK>(squares, tunecheck::Sum());
  return rsqrtf(squares / static_cast<float>(cols) + eps);
}

// `columns` are in flight a thread.
template <int width, int columns, bool whole>
__device__ void normalise(Row<INPUT_TYPE> input, Row<RESIDUAL_TYPE> residual,
                          Row<WEIGHT_TYPE> weight, int cols, float eps) {
  constexpr int step = BLOCK * columns;
  float sums[columns];
  Columns<WEIGHT_TYPE, width, columns, whole> weights;
  if (cols <= step) {
    const float squares = add_rows<width, columns, whole>(input, residual, 0, cols, sums);
    weights.load(weight, 0, cols);
    scale_rows<width, columns, whole>(input, weights, 0, cols, scale_of(squares, cols, eps), sums);
    return;
  }
  float squares = 0;
  for (int begin = 0; begin < cols; begin += step)
    squares += add_rows<width, columns, whole>(input, residual, begin, cols, sums);
  const float scale = scale_of(squares, cols, eps);
  for (int begin = 0; begin < cols; begin += step) {
    weights.load(weight, begin, cols);
    read_back<width, columns, whole>(residual, begin, cols, sums);
    scale_rows<width, columns, whole>(input, weights, begin, cols, scale, sums);
  }
}

// The rows of a matrix that this block has: every gridDim.x-th from its own number on, so that all
// blocks together move through neighbouring memory.
struct Rows {
  const tunecheck::Tensor<INPUT_TYPE>& input;
  const tunecheck::Tensor<RESIDUAL_TYPE>& residual;

  __device__ Row<INPUT_TYPE> input_at(int64_t row) const {
    return {&input(row, 0), input.stride(1)};
  }
  __device__ Row<RESIDUAL_TYPE> residual_at(int64_t row) const {
    return {&residual(row, 0), residual.stride(1)};
  }
  __device__ int64_t count() const { return input.size(0); }
};

// For rows of no more than BLOCK * columns columns: the next one is asked for as soon as there are
// registers for it. A barrier a row is enough, because rows take turns in shared memory.
template <int width, int columns, bool whole>
__device__ void normalise_ahead(const Rows& rows, Row<WEIGHT_TYPE> weight, int cols, float eps) {
  __shared__ float parts[2][BLOCK / 32];
  int64_t row = blockIdx.x;
  Loaded<width, columns, whole> loaded;
  Columns<WEIGHT_TYPE, width, columns, whole> weights;
  loaded.load(rows.input_at(row), rows.residual_at(row), 0, cols);
  weights.load(weight, 0, cols);
#pragma unroll 1
  for (int turn = 0; row < rows.count(); turn = 1 - turn) {
    float sums[columns];
    const float own = loaded.add(rows.residual_at(row), 0, cols, sums);
    const int64_t next = row + gridDim.x;
    if (next < rows.count()) loaded.load(rows.input_at(next), rows.residual_at(next), 0, cols);
    const float squares = tunecheck::block_reduce_in<BLOCK>(parts[turn], own, tunecheck::Sum());
    const float scale = rsqrtf(squares / static_cast<float>(cols) + eps);
    scale_rows<width, columns, whole>(rows.input_at(row), weights, 0, cols, scale, sums);
    row = next;
  }
}

template <int width, int columns, bool whole>
__device__ void normalise_rows(const Rows& rows, Row<WEIGHT_TYPE> weight, int cols, float eps) {
  const auto one = [&](int64_t row) {
    normalise<width, columns, whole>(rows.input_at(row), rows.residual_at(row), weight, cols, eps);
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

// The next row, this one's sums and the weights are in registers.
constexpr int together = ROWS_PER_BLOCK == 1
                             ? 1
                             : tunecheck::blocks_with_registers<BLOCK>(
                                   VEC *
                                   static_cast<int>(sizeof(float) + sizeof(INPUT_TYPE) +
                                                    sizeof(RESIDUAL_TYPE) + sizeof(WEIGHT_TYPE)) /
                                   4);

}  // namespace

extern "C" __global__ void __launch_bounds__(BLOCK, together)
    fused_add_rmsnorm(tunecheck::Tensor<INPUT_TYPE> input,
                      tunecheck::Tensor<RESIDUAL_TYPE> residual,
                      tunecheck::Tensor<WEIGHT_TYPE> weight, float eps) {
  const int cols = static_cast<int>(input.size(1));  // a row has fewer than 2^31
  const Rows rows{input, residual};
  if (blockIdx.x >= rows.count()) return;  // the whole block
  const Row<WEIGHT_TYPE> scales{weight.data(), weight.stride(0)};
  constexpr int single = VEC < 4 ? VEC : 4;
  const bool vectors =
      cols % vector_width == 0 && tunecheck::rows_have_vectors<vector_width>(input) &&
      tunecheck::rows_have_vectors<vector_width>(residual) && scales.has_vectors<vector_width>();
  if (!vectors)
    normalise_rows<1, single, false>(rows, scales, cols, eps);
  else if (cols > 0 && cols % (BLOCK * VEC) == 0)
    normalise_rows<vector_width, VEC, true>(rows, scales, cols, eps);
  else
    normalise_rows<vector_width, VEC, false>(rows, scales, cols, eps);
}
