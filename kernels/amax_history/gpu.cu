// Delayed scaling for FP8. Every block of BLOCK threads (64 at least) finds the largest |x| of its
// elements, UNROLL vectors of 16 bytes a thread at a time where x lies so, else UNROLL elements,
// and adds it to the maximum of all; the block that is done last rolls the history. The maximum is
// one of whole numbers: without the sign, the bits of floats are ordered as their values are.
#include <tunecheck/gpu_rows.h>

namespace {

constexpr int threads = BLOCK < 64 ? 64 : BLOCK;
constexpr int vector_width = tunecheck::vector_width_of<16, X_TYPE>();

__device__ int bits_of(X_TYPE value) {
  return __float_as_int(fabsf(static_cast<float>(value)));
}

// The largest of all elements that go up in whole steps of the grid's blocks; `done` counts these.
__device__ int largest_of_vectors(const tunecheck::Tensor<X_TYPE>& x, int64_t& done) {
  constexpr int64_t per_block = threads * UNROLL * vector_width;
  const int64_t steps = x.size(0) / per_block;
  done = steps * per_block;
  int most = 0;
#pragma unroll 1
  for (int64_t step = blockIdx.x; step < steps; step += gridDim.x) {
    tunecheck::Columns<X_TYPE, threads, vector_width, UNROLL * vector_width, true> part;
    part.load(tunecheck::row_from(x, step * per_block), 0, 0);
#pragma unroll
    for (int v = 0; v < UNROLL; ++v)
#pragma unroll
      for (int e = 0; e < vector_width; ++e) {
        const int bits = bits_of(part.loaded[v].elements[e]);
        if (bits > most) most = bits;
      }
  }
  return most;
}

}  // namespace

extern "C" __global__ void __launch_bounds__(threads, 2048 / threads)
    amax_history(tunecheck::Tensor<X_TYPE> x, tunecheck::Tensor<HISTORY_TYPE> history,
                 tunecheck::Tensor<SCALE_TYPE> scale, tunecheck::Tensor<PARTIAL_TYPE> partial,
                 float fp8_max) {
  __shared__ int last;
  __shared__ int newest;
  const int thread = static_cast<int>(threadIdx.x);
  const int64_t n = x.size(0);
  const int64_t step = tunecheck::global_size() * UNROLL;
  int64_t done = 0;
  int most = 0;
  if (tunecheck::row_from(x, 0).has_vectors<vector_width>()) most = largest_of_vectors(x, done);
  const int64_t start = done + static_cast<int64_t>(blockIdx.x) * (threads * UNROLL) + thread;
#pragma unroll 1
  for (int64_t first = start; first < n; first += step) {
    int bits[UNROLL];
#pragma unroll
    for (int u = 0; u < UNROLL; ++u) {
      const int64_t i = first + u * threads;
      bits[u] = i < n ? bits_of(x(i)) : 0;
    }
#pragma unroll
    for (int u = 0; u < UNROLL; ++u)
      if (bits[u] > most) most = bits[u];
  }
  most = tunecheck::block_reduce<threads>(most, tunecheck::Maximum());

  if (thread == 0) {
    atomicMax(&partial(0), most);
    __threadfence();  // the maximum before the count
    last = atomicAdd(&partial(1), 1) == static_cast<int>(gridDim.x) - 1;
    if (last != 0) {
      __threadfence();
      newest = atomicMax(&partial(0), 0);  // past any cache
    }
  }
  __syncthreads();
  if (last == 0) return;

  // From the end, a block's width at a time: what moves is read before its place is taken.
  const int64_t length = history.size(0);
  float largest = 0;
  for (int64_t end = length; end > 0; end -= threads) {
    const int64_t h = end - 1 - thread;
    float moved = 0;
    if (h >= 0) moved = h > 0 ? history(h - 1) : __int_as_float(newest);
    __syncthreads();
    if (h >= 0) history(h) = moved;
    if (moved > largest) largest = moved;
    __syncthreads();
  }
  largest = tunecheck::block_reduce<threads>(largest, tunecheck::Maximum());
  if (thread == 0 && largest > 0) scale(0) = fp8_max / largest;
}
