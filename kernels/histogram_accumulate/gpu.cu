// counts[v] += 1 for each v of values. Each block counts in shared memory, which has room for
// COPIES histograms of 1024 bins: the fewer bins there are, the more copies it holds, so that
// neighbours with equal values do not wait for each other as often. At the end the copies are added
// up, and a block adds each bin to the caller's counts once. A thread loads UNROLL vectors of up to
// four values where they lie so, else UNROLL values, before it counts the first of them.
#include <tunecheck/gpu_rows.h>

namespace {

constexpr int threads = 256;
constexpr int private_bins = 1024;
constexpr int memory = COPIES * private_bins;
constexpr int vector_width = tunecheck::vector_width_of<4, VALUES_TYPE>();

// Where values are counted: `copies`, a power of two, counters of a bin beside each other, so that
// those of neighbouring threads lie in different banks. Without copies it is the caller's counts.
struct Counters {
  int32_t* shared;
  int copies;
  const tunecheck::Tensor<COUNTS_TYPE>& counts;

  __device__ void count(int64_t bin) const {
    if (bin < 0 || bin >= counts.size(0)) return;
    if (copies > 0)
      atomicAdd(
          &shared[static_cast<int>(bin) * copies + (static_cast<int>(threadIdx.x) & (copies - 1))],
          1);
    else
      atomicAdd(&counts(bin), 1);
  }
  // The whole block must call it.
  __device__ void clear() const {
    const int all = static_cast<int>(counts.size(0)) * copies;
    for (int i = threadIdx.x; i < all; i += threads)
      shared[i] = 0;
    __syncthreads();
  }
  // The whole block must call it.
  __device__ void add_up() const {
    const int bins = static_cast<int>(counts.size(0));
    __syncthreads();
    for (int half = copies / 2; half > 0; half /= 2) {
      for (int i = threadIdx.x; i < bins * half; i += threads) {
        const int at = i / half * copies + i % half;
        shared[at] += shared[at + half];
      }
      __syncthreads();
    }
    for (int bin = threadIdx.x; bin < bins; bin += threads) {
      const int32_t sum = shared[bin * copies];
      if (sum != 0) atomicAdd(&counts(bin), sum);
    }
  }
};

__device__ int copies_of(int64_t bins) {
  int copies = bins <= private_bins ? COPIES : 0;
  while (copies > 0 && copies < threads && 2 * copies * bins <= memory)
    copies *= 2;
  return copies;
}

// The values that go up in whole steps of the grid's blocks; returns how many these are.
__device__ int64_t count_vectors(const tunecheck::Tensor<VALUES_TYPE>& values,
                                 const Counters& counters) {
  constexpr int64_t per_block = threads * UNROLL * vector_width;
  const int64_t steps = values.size(0) / per_block;
#pragma unroll 1
  for (int64_t step = blockIdx.x; step < steps; step += gridDim.x) {
    tunecheck::Columns<VALUES_TYPE, threads, vector_width, UNROLL * vector_width, true> part;
    part.load(tunecheck::row_from(values, step * per_block), 0, 0);
#pragma unroll
    for (int u = 0; u < UNROLL; ++u)
#pragma unroll
      for (int e = 0; e < vector_width; ++e)
        counters.count(static_cast<int64_t>(part.loaded[u].elements[e]));
  }
  return steps * per_block;
}

}  // namespace

extern "C" __global__ void __launch_bounds__(threads)
    histogram_accumulate(tunecheck::Tensor<VALUES_TYPE> values,
                         tunecheck::Tensor<COUNTS_TYPE> counts) {
  __shared__ int32_t shared[memory];
  const Counters counters{shared, copies_of(counts.size(0)), counts};
  if (counters.copies > 0) counters.clear();

  int64_t done = 0;
  if (tunecheck::row_from(values, 0).has_vectors<vector_width>())
    done = count_vectors(values, counters);
  const int64_t n = values.size(0);
  const int64_t step = static_cast<int64_t>(gridDim.x) * (threads * UNROLL);
#pragma unroll 1
  for (int64_t base = done + static_cast<int64_t>(blockIdx.x) * (threads * UNROLL); base < n;
       base += step) {
    int64_t bin[UNROLL];
#pragma unroll
    for (int u = 0; u < UNROLL; ++u) {
      const int64_t i = base + u * threads + static_cast<int>(threadIdx.x);
      bin[u] = i < n ? static_cast<int64_t>(values(i)) : -1;
    }
#pragma unroll
    for (int u = 0; u < UNROLL; ++u)
      counters.count(bin[u]);
  }
  if (counters.copies > 0) counters.add_up();
}
