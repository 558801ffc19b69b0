// Softmax of a row by a block of threads. A thread has LANES columns in flight: vectors of up to 16
// bytes where the row lies so, else single elements, a few at a time. A row of no more than threads
// * LANES columns in vectors stays in registers, with KEEP as its exponentials, else as its values,
// whose exponentials are computed twice. Other rows are read three times.
#include <tunecheck/gpu_rows.h>

namespace {

using tunecheck::Row;

constexpr int threads = 256;
constexpr int vector_width = tunecheck::vector_width_of<LANES, X_TYPE>();

// True for a NaN, so that one in the row comes through.
struct Larger {
  __device__ float operator()(float a, float b) const { return !(a >= b) ? b : a; }
};

// The columns of a step that a thread has.
template <int width, int columns, bool whole>
struct Part {
  tunecheck::Columns<X_TYPE, threads, width, columns, whole> values;
  int begin, cols;

  // Calls use(value, v, e) for each of them.
  template <class Use>
  __device__ void for_each(Use use) {
#pragma unroll
    for (int v = 0; v < columns / width; ++v) {
      if (!whole && tunecheck::column_of<threads, width>(begin, v) >= cols) continue;
#pragma unroll
      for (int e = 0; e < width; ++e)
        use(values.loaded[v].elements[e], v, e);
    }
  }
  __device__ void load(Row<X_TYPE> row) {
    values.load(row, begin, cols);
  }
  __device__ void store(Row<X_TYPE> row) const {
#pragma unroll
    for (int v = 0; v < columns / width; ++v) {
      const int c = tunecheck::column_of<threads, width>(begin, v);
      if (whole || c < cols) row.store<width>(c, values.loaded[v]);
    }
  }
};

__device__ float lowest() {
  return -__int_as_float(0x7f800000);
}

template <int width, bool whole>
__device__ void row_in_registers(Row<X_TYPE> row, int cols) {
  Part<width, LANES, whole> part{{}, 0, cols};
  part.load(row);
  float largest = lowest();
  part.for_each([&](X_TYPE value, int, int) { largest = Larger()(largest, value); });
  const float shift = tunecheck::block_reduce<threads>(largest, Larger());
  float kept[LANES];
  float sum = 0;
  part.for_each([&](X_TYPE value, int v, int e) {
    const float exponential = expf(static_cast<float>(value) - shift);
    if (KEEP) kept[v * width + e] = exponential;
    sum += exponential;
  });
  const float scale = 1 / tunecheck::block_reduce<threads>(sum, tunecheck::Sum());
  part.for_each([&](X_TYPE& value, int v, int e) {
    value = (KEEP ? kept[v * width + e] : expf(static_cast<float>(value) - shift)) * scale;
  });
  part.store(row);
}

template <int width, int columns, bool whole>
__device__ void row_in_steps(Row<X_TYPE> row, int cols) {
  constexpr int step = threads * columns;
  float largest = lowest();
#pragma unroll 1
  for (int begin = 0; begin < cols; begin += step) {
    Part<width, columns, whole> part{{}, begin, cols};
    part.load(row);
    part.for_each([&](X_TYPE value, int, int) { largest = Larger()(largest, value); });
  }
  const float shift = tunecheck::block_reduce<threads>(largest, Larger());
  float sum = 0;
#pragma unroll 1
  for (int begin = 0; begin < cols; begin += step) {
    Part<width, columns, whole> part{{}, begin, cols};
    part.load(row);
    part.for_each([&](X_TYPE value, int, int) { sum += expf(static_cast<float>(value) - shift); });
  }
  const float scale = 1 / tunecheck::block_reduce<threads>(sum, tunecheck::Sum());
#pragma unroll 1
  for (int begin = 0; begin < cols; begin += step) {
    Part<width, columns, whole> part{{}, begin, cols};
    part.load(row);
    part.for_each(
        [&](X_TYPE& value, int, int) { value = expf(static_cast<float>(value) - shift) * scale; });
    part.store(row);
  }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(threads) softmax_inplace(tunecheck::Tensor<X_TYPE> x) {
  constexpr int step = threads * LANES;
  constexpr int single = LANES < 4 ? LANES : 4;
  const int cols = static_cast<int>(x.size(1));  // a row has fewer than 2^31
  if (static_cast<int64_t>(blockIdx.x) >= x.size(0) || cols == 0) return;  // the whole block
  const Row<X_TYPE> row{&x(blockIdx.x, 0), x.stride(1)};
  if (cols % vector_width != 0 || !row.has_vectors<vector_width>())
    row_in_steps<1, single, false>(row, cols);
  else if (cols == step)
    row_in_registers<vector_width, true>(row, cols);
  else if (cols < step)
    row_in_registers<vector_width, false>(row, cols);
  else if (cols % step == 0)
    row_in_steps<vector_width, LANES, true>(row, cols);
  else
    row_in_steps<vector_width, LANES, false>(row, cols);
}
