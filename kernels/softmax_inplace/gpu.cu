// Softmax of a row by a block of threads, LANES columns of each thread at a time; they lie
// `threads` apart, so that neighbouring threads read neighbouring columns. With KEEP the
// exponentials of the first threads * LANES columns stay in registers; the others are computed
// twice.
#include <tunecheck/gpu_kernel.h>

namespace {

constexpr int threads = 256;
constexpr int step = threads * LANES;

// True for a NaN, so that one in the row comes through.
struct Larger {
  __device__ float operator()(float a, float b) const { return !(a >= b) ? b : a; }
};

}  // namespace

extern "C" __global__ void __launch_bounds__(threads) softmax_inplace(tunecheck::Tensor<X_TYPE> x) {
  const int64_t row = blockIdx.x;
  const int64_t cols = x.size(1);
  if (row >= x.size(0) || cols == 0) return;  // the whole block

  const float lowest = -__int_as_float(0x7f800000);
  float largest[LANES];
#pragma unroll
  for (int l = 0; l < LANES; ++l)
    largest[l] = lowest;
  for (int64_t first = threadIdx.x; first < cols; first += step) {
#pragma unroll
    for (int l = 0; l < LANES; ++l) {
      const int64_t c = first + l * threads;
      if (c < cols) largest[l] = Larger()(largest[l], x(row, c));
    }
  }
#pragma unroll
  for (int l = 1; l < LANES; ++l)
    largest[0] = Larger()(largest[0], largest[l]);
  const float shift = tunecheck::block_reduce<threads>(largest[0], Larger());

  float kept[LANES];
  float sum = 0;
#pragma unroll
  for (int l = 0; l < LANES; ++l) {
    const int64_t c = threadIdx.x + l * threads;
    kept[l] = c < cols ? expf(x(row, c) - shift) : 0.0f;
    sum += kept[l];
  }
  for (int64_t first = threadIdx.x + step; first < cols; first += step) {
#pragma unroll
    for (int l = 0; l < LANES; ++l) {
      const int64_t c = first + l * threads;
      if (c < cols) sum += expf(x(row, c) - shift);
    }
  }
  const float scale = 1 / tunecheck::block_reduce<threads>(sum, tunecheck::Sum());

#pragma unroll
  for (int l = 0; l < LANES; ++l) {
    const int64_t c = threadIdx.x + l * threads;
    if (c < cols) x(row, c) = (KEEP ? kept[l] : expf(x(row, c) - shift)) * scale;
  }
  for (int64_t first = threadIdx.x + step; first < cols; first += step) {
#pragma unroll
    for (int l = 0; l < LANES; ++l) {
      const int64_t c = first + l * threads;
      if (c < cols) x(row, c) = expf(x(row, c) - shift) * scale;
    }
  }
}
