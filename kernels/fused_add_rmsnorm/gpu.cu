// One block of BLOCK threads a row. A thread has VEC columns in flight: vectors of up to 16 bytes
// where the rows lie so, else single elements, in both cases such that neighbouring threads touch
// neighbouring memory. All of them are asked for before the first is used. Where a row has no more
// than BLOCK * VEC columns, its sums stay in registers and are never read back, and the weights are
// on their way while the block adds up its squares; else a thread reads back what it wrote itself.
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

template <int width, int columns, bool whole>
__device__ float add_rows(Row<INPUT_TYPE> input, Row<RESIDUAL_TYPE> residual, int begin, int cols,
                          float (&sums)[columns]) {
  Columns<RESIDUAL_TYPE, width, columns, whole> kept;
  Columns<INPUT_TYPE, width, columns, whole> in;
  kept.load(residual, begin, cols);
  in.load(input, begin, cols);
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

}  // namespace

extern "C" __global__ void __launch_bounds__(BLOCK)
    fused_add_rmsnorm(tunecheck::Tensor<INPUT_TYPE> input,
                      tunecheck::Tensor<RESIDUAL_TYPE> residual,
                      tunecheck::Tensor<WEIGHT_TYPE> weight, float eps) {
  const int cols = static_cast<int>(input.size(1));  // a row has fewer than 2^31
  const int64_t row = blockIdx.x;
  if (row >= input.size(0)) return;  // the whole block
  const Row<INPUT_TYPE> in{&input(row, 0), input.stride(1)};
  const Row<RESIDUAL_TYPE> kept{&residual(row, 0), residual.stride(1)};
  const Row<WEIGHT_TYPE> scales{weight.data(), weight.stride(0)};
  constexpr int single = VEC < 4 ? VEC : 4;
  const bool vectors = cols % vector_width == 0 && in.has_vectors<vector_width>() &&
                       kept.has_vectors<vector_width>() && scales.has_vectors<vector_width>();
  if (!vectors)
    normalise<1, single, false>(in, kept, scales, cols, eps);
  else if (cols > 0 && cols % (BLOCK * VEC) == 0)
    normalise<vector_width, VEC, true>(in, kept, scales, cols, eps);
  else
    normalise<vector_width, VEC, false>(in, kept, scales, cols, eps);
}
