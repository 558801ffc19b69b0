// One block of BLOCK threads a row. A thread has VEC columns in flight: vectors of up to 16 bytes
// where the rows lie so, else single elements, in both cases such that neighbouring threads touch
// neighbouring memory. Where a row has no more than BLOCK * VEC columns, its sums stay in registers
// and are never read back; else a thread reads back what it wrote itself.
#include <tunecheck/gpu_kernel.h>

namespace {

constexpr int widest = sizeof(INPUT_TYPE) > sizeof(RESIDUAL_TYPE) ? sizeof(INPUT_TYPE)
                                                                  : sizeof(RESIDUAL_TYPE);
constexpr int vector_width = VEC < 16 / widest ? VEC : 16 / widest;

template <class T, int width>
struct alignas(sizeof(T) * width) Vector {
  T elements[width];
};

template <class T>
struct Row {
  T* data;
  int64_t step;  // elements

  template <int width>
  __device__ Vector<T, width>& vector(int64_t column) const {
    return *reinterpret_cast<Vector<T, width>*>(data + column * step);
  }
  // True where vectors of `width` elements are aligned.
  template <int width>
  __device__ bool has_vectors() const {
    return step == 1 && reinterpret_cast<uint64_t>(data) % (sizeof(T) * width) == 0;
  }
};

// The columns first, first + 1, ... of this thread: vector `v` of the step that begins at `begin`.
template <int width>
__device__ int64_t column_of(int64_t begin, int v) {
  return begin + (static_cast<int64_t>(v) * BLOCK + threadIdx.x) * width;
}

template <int width>
__device__ float add_rows(Row<INPUT_TYPE> input, Row<RESIDUAL_TYPE> residual, int64_t begin,
                          int64_t cols, float (&sums)[VEC]) {
  constexpr int vectors = VEC / width;
  float squares = 0;
#pragma unroll
  for (int v = 0; v < vectors; ++v) {
    const int64_t c = column_of<width>(begin, v);
    if (c >= cols) continue;
    const auto kept = residual.vector<width>(c);
    const auto in = input.vector<width>(c);
#pragma unroll
    for (int i = 0; i < width; ++i)
      sums[v * width + i] =
          static_cast<float>(kept.elements[i]) + static_cast<float>(in.elements[i]);
  }
#pragma unroll
  for (int v = 0; v < vectors; ++v) {
    const int64_t c = column_of<width>(begin, v);
    if (c >= cols) continue;
    Vector<RESIDUAL_TYPE, width> rounded;
#pragma unroll
    for (int i = 0; i < width; ++i) {
      const float sum = sums[v * width + i];
      rounded.elements[i] = sum;
      squares += sum * sum;
    }
    residual.vector<width>(c) = rounded;
  }
  return squares;
}

template <int width>
__device__ void scale_rows(Row<INPUT_TYPE> input, Row<WEIGHT_TYPE> weight, int64_t begin,
                           int64_t cols, float scale, const float (&sums)[VEC]) {
#pragma unroll
  for (int v = 0; v < VEC / width; ++v) {
    const int64_t c = column_of<width>(begin, v);
    if (c >= cols) continue;
    Vector<INPUT_TYPE, width> scaled;
#pragma unroll
    for (int i = 0; i < width; ++i)
      scaled.elements[i] =
          sums[v * width + i] * scale * static_cast<float>(weight.data[(c + i) * weight.step]);
    input.vector<width>(c) = scaled;
  }
}

template <int width>
__device__ void read_back(Row<RESIDUAL_TYPE> residual, int64_t begin, int64_t cols,
                          float (&sums)[VEC]) {
#pragma unroll
  for (int v = 0; v < VEC / width; ++v) {
    const int64_t c = column_of<width>(begin, v);
    if (c >= cols) continue;
    const auto kept = residual.vector<width>(c);
#pragma unroll
    for (int i = 0; i < width; ++i)
      sums[v * width + i] = static_cast<float>(kept.elements[i]);
  }
}

template <int width>
__device__ void normalise(Row<INPUT_TYPE> input, Row<RESIDUAL_TYPE> residual,
                          Row<WEIGHT_TYPE> weight, int64_t cols, float eps) {
  constexpr int64_t step = int64_t{BLOCK} * VEC;
  float sums[VEC];
  float squares = 0;
  for (int64_t begin = 0; begin < cols; begin += step)
    squares += add_rows<width>(input, residual, begin, cols, sums);
  squares = tunecheck::block_reduce<BLOCK>(squares, tunecheck::Sum());
  const float scale = rsqrtf(squares / static_cast<float>(cols) + eps);
  if (cols <= step) return scale_rows<width>(input, weight, 0, cols, scale, sums);
  for (int64_t begin = 0; begin < cols; begin += step) {
    read_back<width>(residual, begin, cols, sums);
    scale_rows<width>(input, weight, begin, cols, scale, sums);
  }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(BLOCK)
    fused_add_rmsnorm(tunecheck::Tensor<INPUT_TYPE> input,
                      tunecheck::Tensor<RESIDUAL_TYPE> residual,
                      tunecheck::Tensor<WEIGHT_TYPE> weight, float eps) {
  const int64_t cols = input.size(1);
  const int64_t row = blockIdx.x;
  if (row >= input.size(0)) return;  // the whole block
  const Row<INPUT_TYPE> in{&input(row, 0), input.stride(1)};
  const Row<RESIDUAL_TYPE> kept{&residual(row, 0), residual.stride(1)};
  const Row<WEIGHT_TYPE> scales{weight.data(), weight.stride(0)};
  if (cols % vector_width == 0 && in.has_vectors<vector_width>() &&
      kept.has_vectors<vector_width>())
    normalise<vector_width>(in, kept, scales, cols, eps);
  else
    normalise<1>(in, kept, scales, cols, eps);
}
