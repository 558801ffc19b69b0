// counts[v] += 1 for each v of values. Each block counts in shared memory, its threads in COPIES
// private histograms in turn, so that neighbours with equal values do not wait for each other as
// often; at the end a block adds each bin to the caller's counts once. A thread loads UNROLL values
// before it counts the first of them.
#include <tunecheck/gpu_kernel.h>

namespace {

constexpr int threads = 256;
constexpr int private_bins = 1024;

}  // namespace

extern "C" __global__ void __launch_bounds__(threads)
    histogram_accumulate(tunecheck::Tensor<VALUES_TYPE> values,
                         tunecheck::Tensor<COUNTS_TYPE> counts) {
  // One element more a copy: the same bin of two copies lies in different banks.
  __shared__ int32_t copies[COPIES][private_bins + 1];
  const int thread = static_cast<int>(threadIdx.x);
  const int64_t n = values.size(0);
  const int64_t bins = counts.size(0);
  const bool in_shared = bins <= private_bins;
  if (in_shared) {
    for (int copy = 0; copy < COPIES; ++copy)
      for (int64_t bin = thread; bin < bins; bin += threads)
        copies[copy][bin] = 0;
    __syncthreads();
  }

  const int64_t step = static_cast<int64_t>(gridDim.x) * (threads * UNROLL);
  int32_t* const own = copies[thread % COPIES];
  for (int64_t base = static_cast<int64_t>(blockIdx.x) * (threads * UNROLL); base < n;
       base += step) {
    int64_t bin[UNROLL];
#pragma unroll
    for (int u = 0; u < UNROLL; ++u) {
      const int64_t i = base + u * threads + thread;
      bin[u] = i < n ? static_cast<int64_t>(values(i)) : -1;
    }
#pragma unroll
    for (int u = 0; u < UNROLL; ++u) {
      if (bin[u] < 0 || bin[u] >= bins) continue;
      if (in_shared)
        atomicAdd(&own[bin[u]], 1);
      else
        atomicAdd(&counts(bin[u]), 1);
    }
  }

  if (!in_shared) return;
  __syncthreads();
  for (int64_t bin = thread; bin < bins; bin += threads) {
    int32_t sum = 0;
    for (int copy = 0; copy < COPIES; ++copy)
      sum += copies[copy][bin];
    if (sum != 0) atomicAdd(&counts(bin), sum);
  }
}
