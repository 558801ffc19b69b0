// y = cumsum(x) in one pass, a tile of TILE elements a block of 64 * WORKERS threads. A block draws
// its tile by a ticket: all earlier tiles then belong to blocks that already run, and to wait for
// them cannot last for ever, in whatever order blocks start. See lookback.h for what the blocks
// tell each other through the status, which must be zero at the start.
#include <tunecheck/gpu_kernel.h>

#include "lookback.h"

namespace {

using Number = lookback::Wide<X_TYPE>;
using Sum = Number::Type;

constexpr int threads = 64 * WORKERS;
// One pass through shared memory at a time: `items` neighbours a thread. The room between runs of
// 32 keeps threads that are `items` apart out of each other's banks.
constexpr int items = TILE / threads < 8 ? TILE / threads : 8;
constexpr int part = threads * items;
constexpr int parts = TILE / part;
static_assert(TILE % part == 0, "a tile is a whole number of parts");

__device__ int place(int i) {
  return i + i / 32;
}

__device__ void publish(tunecheck::Tensor<STATUS_TYPE> status, int64_t tile, uint64_t addition) {
  atomicAdd(reinterpret_cast<unsigned long long*>(&status(1 + tile)),
            static_cast<unsigned long long>(addition));
}

__device__ int64_t look_back(tunecheck::Tensor<STATUS_TYPE> status, int64_t tile) {
  int64_t steps = 0;
  while (tile > 0) {
    const volatile STATUS_TYPE* const word = &status(tile);  // that of the tile before
    uint64_t read;
    do
      read = static_cast<uint64_t>(*word);
    while (lookback::count_of(read) == 0);
    steps += lookback::steps_of(read);
    if (lookback::count_of(read) >= lookback::up_to_here) break;
    --tile;
  }
  return steps;
}

// The inclusive prefix sums of one value a thread; the last one is the total.
__device__ Sum scan_threads(Sum value, Sum* sums) {
  const int thread = static_cast<int>(threadIdx.x);
  __syncthreads();  // a former call's sums may still be read
  sums[thread] = value;
  __syncthreads();
  for (int step = 1; step < threads; step *= 2) {
    const Sum other = thread >= step ? sums[thread - step] : Sum(0);
    __syncthreads();
    sums[thread] += other;
    __syncthreads();
  }
  return sums[thread];
}

}  // namespace

extern "C" __global__ void __launch_bounds__(threads)
    scan_lookback(tunecheck::Tensor<X_TYPE> x, tunecheck::Tensor<Y_TYPE> y,
                  tunecheck::Tensor<STATUS_TYPE> status) {
  __shared__ X_TYPE values[part + part / 32];
  __shared__ Sum sums[threads];
  __shared__ int64_t shared;  // what thread 0 has to tell the others
  const int thread = static_cast<int>(threadIdx.x);
  const int64_t n = x.size(0);

  if (thread == 0) {
    const unsigned long long ticket =
        atomicAdd(reinterpret_cast<unsigned long long*>(&status(0)), 1ULL);
    shared = static_cast<int64_t>(ticket % gridDim.x);
  }
  __syncthreads();
  const int64_t tile = shared;
  const int64_t first = tile * TILE;

  // The tile's own sum.
  Sum own = 0;
  for (int i = thread; i < TILE; i += threads)
    if (first + i < n) own += x(first + i);
  scan_threads(own, sums);
  if (thread == 0) {
    const int64_t steps = Number::steps(sums[threads - 1]);
    publish(status, tile, lookback::addition(steps, lookback::tile_only));
    const int64_t before = look_back(status, tile);
    publish(status, tile, lookback::addition(before, lookback::up_to_here - lookback::tile_only));
    shared = before;
  }
  __syncthreads();

  Sum before = Number::sum(shared);
  for (int p = 0; p < parts; ++p) {
    const int64_t start = first + static_cast<int64_t>(p) * part;
    for (int i = thread; i < part; i += threads)
      values[place(i)] = start + i < n ? x(start + i) : X_TYPE(0);
    __syncthreads();
    Sum run = 0;
    for (int k = 0; k < items; ++k)
      run += values[place(thread * items + k)];
    const Sum up_to_here = scan_threads(run, sums);
    Sum sum = before + (up_to_here - run);
    for (int k = 0; k < items; ++k) {
      X_TYPE& value = values[place(thread * items + k)];
      sum += value;
      value = static_cast<X_TYPE>(sum);
    }
    before += sums[threads - 1];
    __syncthreads();
    for (int i = thread; i < part; i += threads)
      if (start + i < n) y(start + i) = values[place(i)];
    __syncthreads();  // before the next part takes the place of this one
  }
}
