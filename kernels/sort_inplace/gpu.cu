// Sorts each row of keys in ascending order, in place; keys are no NaN. A bitonic network: runs of
// RUN keys pass through it in registers, what lies further apart in shared memory. A block sorts
// TOGETHER rows, as many at once as its shared memory holds; rows that are too long for it are
// sorted where they are. With ORDERED a block asks first whether there is anything to do.
#include <tunecheck/gpu_kernel.h>

namespace {

using Key = KEYS_TYPE;

constexpr int threads = 256;
constexpr int shared_keys = TOGETHER == 1 ? 2048 : TOGETHER <= 4 ? 4096 : 8192;

[[maybe_unused]] __device__ float larger_than_all(float) {
  return __uint_as_float(0x7f800000);
}
[[maybe_unused]] __device__ int larger_than_all(int) {
  return 0x7fffffff;
}

// Rows of a power of two of keys, one behind the other. A gap after 32 keys lets the threads of a
// warp reach the starts of their runs in different banks.
struct SharedRows {
  Key* keys;

  static constexpr int memory = shared_keys + shared_keys / 32;
  __device__ Key& operator[](int i) const { return keys[i + i / 32]; }
  __device__ bool has(int) const { return true; }
  __device__ Key load(int i) const { return (*this)[i]; }
  __device__ void store(int i, Key key) const { (*this)[i] = key; }
};

// One row in its place. What it lacks to a power of two is larger than any key and would stay
// behind all of them, so it needs no memory.
struct LongRow {
  Key* first;
  int64_t step, count;

  __device__ bool has(int64_t i) const { return i < count; }
  __device__ Key load(int64_t i) const { return has(i) ? first[i * step] : larger_than_all(Key()); }
  __device__ void store(int64_t i, Key key) const {
    if (has(i)) first[i * step] = key;
  }
};

__device__ void order(Key& low, Key& high) {
  const Key a = low, b = high;
  low = b < a ? b : a;
  high = b < a ? a : b;
}
template <class Rows, class Index>
__device__ void order(const Rows& rows, Index low, Index high) {
  if (!rows.has(high)) return;
  const Key a = rows.load(low), b = rows.load(high);
  if (!(b < a)) return;
  rows.store(low, b);
  rows.store(high, a);
}

// Sorted runs of `half` keys become sorted runs of 2 * half keys: the first step compares with the
// mirrored key, so that all comparisons point the same way, the others settle the rest.
template <int distance>
__device__ void settle(Key (&keys)[RUN]) {
#pragma unroll
  for (int i = 0; i < RUN; ++i)
    if ((i & distance) == 0) order(keys[i], keys[i + distance]);
  if constexpr (distance > 1) settle<distance / 2>(keys);
}
template <int half>
__device__ void sort_registers(Key (&keys)[RUN]) {
#pragma unroll
  for (int i = 0; i < RUN; ++i)
    if ((i & half) == 0) order(keys[i], keys[i ^ (2 * half - 1)]);
  if constexpr (half > 1) settle<half / 2>(keys);
  if constexpr (2 * half < RUN) sort_registers<2 * half>(keys);
}

template <bool joined, class Rows, class Index>
__device__ void pass_registers(const Rows& rows, Index count) {
  for (Index run = threadIdx.x; run < count / RUN; run += threads) {
    Key keys[RUN];
#pragma unroll
    for (int i = 0; i < RUN; ++i)
      keys[i] = rows.load(run * RUN + i);
    if constexpr (joined)
      settle<RUN / 2>(keys);
    else
      sort_registers<1>(keys);
#pragma unroll
    for (int i = 0; i < RUN; ++i)
      rows.store(run * RUN + i, keys[i]);
  }
  __syncthreads();
}

// Sorts count / length rows of `length` keys, a power of two; the whole block must call it.
template <class Rows, class Index>
__device__ void sort_rows(const Rows& rows, Index count, Index length) {
  pass_registers<false>(rows, count);
  for (Index half = RUN; half < length; half *= 2) {
    for (Index i = threadIdx.x; i < count / 2; i += threads) {
      const Index low = 2 * i - (i & (half - 1));
      order(rows, low, low ^ (2 * half - 1));
    }
    __syncthreads();
    for (Index distance = half / 2; distance >= RUN; distance /= 2) {
      for (Index i = threadIdx.x; i < count / 2; i += threads) {
        const Index low = 2 * i - (i & (distance - 1));
        order(rows, low, low + distance);
      }
      __syncthreads();
    }
    pass_registers<true>(rows, count);
  }
}

// The same answer in all threads of the block.
__device__ bool are_ordered(const tunecheck::Tensor<Key>& keys, int64_t first, int rows) {
  int descents = 0;
  for (int r = 0; r < rows; ++r)
    for (int64_t c = threadIdx.x + 1; c < keys.size(1); c += threads)
      if (keys(first + r, c) < keys(first + r, c - 1)) descents = 1;
  return tunecheck::block_reduce<threads>(descents, tunecheck::Maximum()) == 0;
}

}  // namespace

extern "C" __global__ void __launch_bounds__(threads) sort_inplace(tunecheck::Tensor<Key> keys) {
  __shared__ Key memory[SharedRows::memory];
  const int64_t cols = keys.size(1);
  const int64_t first = static_cast<int64_t>(blockIdx.x) * TOGETHER;
  const int64_t rows_left = keys.size(0) - first;
  const int rows = rows_left < TOGETHER ? static_cast<int>(rows_left) : TOGETHER;
  if (ORDERED && are_ordered(keys, first, rows)) return;

  int64_t length = RUN;
  while (length < cols)
    length *= 2;
  if (length > shared_keys) {
    for (int r = 0; r < rows; ++r)
      sort_rows(LongRow{&keys(first + r, 0), keys.stride(1), cols}, length, length);
    return;
  }

  const SharedRows shared{memory};
  const int length_in_shared = static_cast<int>(length);
  const int at_once = shared_keys / length_in_shared;
  for (int done = 0; done < rows; done += at_once) {
    const int64_t row = first + done;
    const int count = (rows - done < at_once ? rows - done : at_once) * length_in_shared;
    for (int i = threadIdx.x; i < count; i += threads) {
      const int c = i & (length_in_shared - 1);
      shared[i] = c < cols ? keys(row + i / length_in_shared, c) : larger_than_all(Key());
    }
    __syncthreads();
    sort_rows(shared, count, length_in_shared);
    for (int i = threadIdx.x; i < count; i += threads) {
      const int c = i & (length_in_shared - 1);
      if (c < cols) keys(row + i / length_in_shared, c) = shared[i];
    }
    __syncthreads();  // before the next rows take this memory
  }
}
