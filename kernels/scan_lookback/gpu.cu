// y = cumsum(x) in one pass, a tile of TILE elements a block of 64 * WORKERS threads. A block draws
// its tile by a ticket: all earlier tiles then belong to blocks that already run, and to wait for
// them cannot last for ever, in whatever order blocks start. See lookback.h for what the blocks
// tell each other through the status, which must be zero at the start.
//
// Elements go through shared memory, in vectors of up to 16 bytes on both ways where the tensors
// lie so: a thread then sums neighbours. A tile that has room there is read once. 32 threads look
// back at as many tiles at a time.
#include <tunecheck/gpu_rows.h>

#include "lookback.h"

namespace {

using Number = lookback::Wide<X_TYPE>;
using Sum = Number::Type;

constexpr int threads = 64 * WORKERS;
constexpr int lanes = 32;
// What is in shared memory at a time: `items` neighbours a thread.
constexpr int room = 32768 / static_cast<int>(sizeof(X_TYPE));
constexpr int part = TILE < room ? TILE : room;
constexpr int parts = TILE / part;
constexpr int items = part / threads;
static_assert(TILE % part == 0 && part % threads == 0, "parts and threads divide a tile");

constexpr int at_once = items < 32 ? items : 32;  // of a thread, on their way
constexpr int vector_width = tunecheck::vector_width_of<at_once, X_TYPE, Y_TYPE>();

// The room between runs of 32 keeps threads that are `items` apart out of each other's banks.
__device__ int place(int i) {
  return i + i / 32;
}

__device__ void publish(const tunecheck::Tensor<STATUS_TYPE>& status, int64_t tile,
                        uint64_t addition) {
  atomicAdd(reinterpret_cast<unsigned long long*>(&status(1 + tile)),
            static_cast<unsigned long long>(addition));
}

// The sum of some tiles in a row, up to the first that knows everything before it.
struct Seen {
  int64_t steps;
  int complete;
};

__device__ Seen see(const tunecheck::Tensor<STATUS_TYPE>& status, int64_t tile) {
  if (tile < 0) return {0, 1};
  const volatile STATUS_TYPE* const word = &status(1 + tile);
  uint64_t read;
  do
    read = static_cast<uint64_t>(*word);
  while (lookback::count_of(read) == 0);
  return {lookback::steps_of(read), lookback::count_of(read) >= lookback::up_to_here};
}

// For the first 32 threads together; the first of them has the result.
__device__ int64_t look_back(const tunecheck::Tensor<STATUS_TYPE>& status, int64_t tile) {
  int64_t steps = 0;
  for (int64_t nearest = tile - 1;; nearest -= lanes) {
    Seen seen = see(status, nearest - static_cast<int>(threadIdx.x));
    for (int distance = 1; distance < lanes; distance *= 2) {
      const int64_t further = tunecheck::from_further_lane(seen.steps, distance);
      const int complete = tunecheck::from_further_lane(seen.complete, distance);
      const bool there = static_cast<int>(threadIdx.x) + distance < lanes;
      if (there && seen.complete == 0) {
        seen.steps += further;
        seen.complete = complete;
      }
    }
    steps += seen.steps;
    // What the first thread has found, from one to the next.
    for (int distance = 1; distance < lanes; distance *= 2) {
      const int earlier = tunecheck::from_earlier_lane(seen.complete, distance);
      const int thread = static_cast<int>(threadIdx.x);
      if (thread >= distance && thread < 2 * distance) seen.complete = earlier;
    }
    if (seen.complete != 0) return steps;
  }
}

// The sums of one value a thread: of all threads before, and of all.
struct Scanned {
  Sum before, all;
};

__device__ Scanned scan_threads(Sum value, Sum* sums) {
  const int thread = static_cast<int>(threadIdx.x);
  Sum up_to_here = value;
  for (int distance = 1; distance < lanes; distance *= 2) {
    const Sum earlier = tunecheck::from_earlier_lane(up_to_here, distance);
    if (thread % lanes >= distance) up_to_here += earlier;
  }
  __syncthreads();  // a former call's sums may still be read
  if (thread % lanes == lanes - 1) sums[thread / lanes] = up_to_here;
  __syncthreads();
  Scanned scanned{up_to_here - value, 0};
#pragma unroll
  for (int group = 0; group < threads / lanes; ++group) {
    if (group < thread / lanes) scanned.before += sums[group];
    scanned.all += sums[group];
  }
  return scanned;
}

// The part that begins at `start`, zeros for what the tensor does not have. Nobody may read the
// part before any more; the block has to wait for each other before it reads this one.
__device__ void load_part(const tunecheck::Tensor<X_TYPE>& x, int64_t start, bool vectors,
                          X_TYPE* values) {
  if (!vectors) {
#pragma unroll 4
    for (int i = threadIdx.x; i < part; i += threads)
      values[place(i)] = start + i < x.size(0) ? x(start + i) : X_TYPE(0);
    return;
  }
#pragma unroll 1
  for (int begin = 0; begin < part; begin += threads * at_once) {
    tunecheck::Columns<X_TYPE, threads, vector_width, at_once, true> columns;
    columns.load(tunecheck::row_from(x, start), begin, part);
#pragma unroll
    for (int v = 0; v < at_once / vector_width; ++v)
#pragma unroll
      for (int e = 0; e < vector_width; ++e)
        values[place(tunecheck::column_of<threads, vector_width>(begin, v) + e)] =
            columns.loaded[v].elements[e];
  }
}

__device__ void store_part(const tunecheck::Tensor<Y_TYPE>& y, int64_t start, bool vectors,
                           const X_TYPE* values) {
  if (!vectors) {
    for (int i = threadIdx.x; i < part; i += threads)
      if (start + i < y.size(0)) y(start + i) = values[place(i)];
    return;
  }
#pragma unroll 4
  for (int i = static_cast<int>(threadIdx.x) * vector_width; i < part;
       i += threads * vector_width) {
    tunecheck::Vector<Y_TYPE, vector_width> vector;
#pragma unroll
    for (int e = 0; e < vector_width; ++e)
      vector.elements[e] = values[place(i + e)];
    tunecheck::row_from(y, start).template store<vector_width>(i, vector);
  }
}

// Of this thread's neighbours.
__device__ Sum sum_of(const X_TYPE* values) {
  Sum sum = 0;
#pragma unroll 8
  for (int k = 0; k < items; ++k)
    sum += values[place(static_cast<int>(threadIdx.x) * items + k)];
  return sum;
}

}  // namespace

extern "C" __global__ void __launch_bounds__(threads)
    scan_lookback(tunecheck::Tensor<X_TYPE> x, tunecheck::Tensor<Y_TYPE> y,
                  tunecheck::Tensor<STATUS_TYPE> status) {
  __shared__ X_TYPE values[part + part / 32];
  __shared__ Sum sums[threads / lanes];
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
  const bool vectors = first + TILE <= n &&
                       tunecheck::row_from(x, first).template has_vectors<vector_width>() &&
                       tunecheck::row_from(y, first).template has_vectors<vector_width>();

  // The tile's own sum; where it has only one part, that stays.
  Sum own = 0;
  for (int p = 0; p < parts; ++p) {
    if (p > 0) __syncthreads();  // the part before has been read
    load_part(x, first + static_cast<int64_t>(p) * part, vectors, values);
    __syncthreads();
    own += sum_of(values);
  }
  Scanned scanned = scan_threads(own, sums);
  if (thread < lanes) {
    const int64_t steps = Number::steps(scanned.all);
    if (thread == 0) publish(status, tile, lookback::addition(steps, lookback::tile_only));
    const int64_t before = look_back(status, tile);
    if (thread == 0) {
      publish(status, tile, lookback::addition(before, lookback::up_to_here - lookback::tile_only));
      shared = before;
    }
  }
  __syncthreads();

  Sum before = Number::sum(shared);
  for (int p = 0; p < parts; ++p) {
    const int64_t start = first + static_cast<int64_t>(p) * part;
    if (parts > 1) {
      if (p > 0) __syncthreads();  // the part before has been stored
      load_part(x, start, vectors, values);
      __syncthreads();
      scanned = scan_threads(sum_of(values), sums);
    }
    Sum sum = before + scanned.before;
#pragma unroll 8
    for (int k = 0; k < items; ++k) {
      X_TYPE& value = values[place(thread * items + k)];
      sum += value;
      value = static_cast<X_TYPE>(sum);
    }
    before += scanned.all;
    __syncthreads();
    store_part(y, start, vectors, values);
  }
}
