// Sorts each row of keys in ascending order, in place; keys are no NaN.
//
// TOGETHER = 1: row by row. Runs of RUN keys are sorted by insertion and then merged, and two runs
// that follow each other in order already are left as they are. With ORDERED a row is asked first
// whether anything is to be done at all. The more order there is, the faster.
//
// TOGETHER > 1: a bitonic network for TOGETHER rows, interleaved, without a branch that depends on
// a key: always the same time. Runs of RUN keys pass through the network in registers.
#include <tunecheck/cpu_kernel.h>

namespace {

using Key = KEYS_TYPE;

// Memory for one launch.
struct Scratch {
  explicit Scratch(int64_t size) : data(new Key[static_cast<size_t>(size)]) {}
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { delete[] data; }
  Key* data;
};

int64_t smaller(int64_t a, int64_t b) {
  return a < b ? a : b;
}

#if TOGETHER == 1

// Ends at the first block with a descent: a shuffled row costs next to nothing.
[[maybe_unused]] bool is_ordered(const Key* keys, int64_t count) {
  constexpr int64_t block = 64;
  int64_t i = 1;
  for (; i + block <= count; i += block) {
    int descents = 0;
    for (int64_t b = 0; b < block; ++b)
      descents += keys[i + b] < keys[i + b - 1];
    if (descents != 0) return false;
  }
  for (; i < count; ++i)
    if (keys[i] < keys[i - 1]) return false;
  return true;
}

void sort_run(Key* keys, int64_t count) {
  for (int64_t i = 1; i < count; ++i) {
    const Key key = keys[i];
    int64_t to = i;
    for (; to > 0 && key < keys[to - 1]; --to)
      keys[to] = keys[to - 1];
    keys[to] = key;
  }
}

// keys[0 .. left) and keys[left .. count) become one run; `aside` has room for the first.
void merge(Key* keys, int64_t left, int64_t count, Key* aside) {
  for (int64_t i = 0; i < left; ++i)
    aside[i] = keys[i];
  int64_t l = 0, r = left, to = 0;
  while (l < left && r < count)
    keys[to++] = keys[r] < aside[l] ? keys[r++] : aside[l++];
  while (l < left)
    keys[to++] = aside[l++];
}

void sort_keys(Key* keys, int64_t count, Key* aside) {
#if ORDERED
  if (is_ordered(keys, count)) return;
#endif
  for (int64_t i = 0; i < count; i += RUN)
    sort_run(keys + i, smaller(RUN, count - i));
  for (int64_t run = RUN; run < count; run *= 2)
    for (int64_t i = 0; i + run < count; i += 2 * run)
      if (keys[i + run] < keys[i + run - 1])
        merge(keys + i, run, smaller(2 * run, count - i), aside);
}

void sort_rows(tunecheck::Tensor<Key> keys) {
  const int64_t cols = keys.size(1);
  const Scratch scratch(2 * cols);
  for (int64_t r = 0; r < keys.size(0); ++r) {
    if (keys.stride(1) == 1) {
      sort_keys(&keys(r, 0), cols, scratch.data);
      continue;
    }
    Key* const row = scratch.data + cols;
    for (int64_t c = 0; c < cols; ++c)
      row[c] = keys(r, c);
    sort_keys(row, cols, scratch.data);
    for (int64_t c = 0; c < cols; ++c)
      keys(r, c) = row[c];
  }
}

#else

// As many rows as one register holds.
#if defined(__AVX512F__)
constexpr int register_lanes = 16;
#elif defined(__AVX2__)
constexpr int register_lanes = 8;
#else
constexpr int register_lanes = 4;
#endif
constexpr int lanes = TOGETHER < register_lanes ? TOGETHER : register_lanes;
using Lanes [[gnu::vector_size(lanes * sizeof(Key)), gnu::aligned(alignof(Key)), gnu::may_alias]] =
    Key;
constexpr int sets = TOGETHER / lanes;

template <class Number>
constexpr Number largest = __builtin_inff();
template <>
constexpr int32_t largest<int32_t> = INT32_MAX;

inline void order(Lanes& low, Lanes& high) {
  const Lanes a = low, b = high;
  low = a < b ? a : b;
  high = a < b ? b : a;
}

// Sorted runs of `half` keys become sorted runs of 2 * half keys. The first step compares with the
// mirrored key, so that all comparisons point the same way.
template <int half>
inline void join(Lanes (&keys)[RUN]) {
#pragma GCC unroll 64
  for (int i = 0; i < RUN; ++i)
    if ((i & half) == 0) order(keys[i], keys[i ^ (2 * half - 1)]);
}
template <int distance>
inline void settle(Lanes (&keys)[RUN]) {
#pragma GCC unroll 64
  for (int i = 0; i < RUN; ++i)
    if ((i & distance) == 0) order(keys[i], keys[i + distance]);
  if constexpr (distance > 1) settle<distance / 2>(keys);
}
template <int half>
inline void sort_registers(Lanes (&keys)[RUN]) {
  join<half>(keys);
  if constexpr (half > 1) settle<half / 2>(keys);
  if constexpr (2 * half < RUN) sort_registers<2 * half>(keys);
}

// Key c of the rows is at keys[c * sets .. (c + 1) * sets).
template <bool sorted_before>
void pass_registers(Lanes* keys) {
  for (int set = 0; set < sets; ++set) {
    Lanes run[RUN];
#pragma GCC unroll 64
    for (int i = 0; i < RUN; ++i)
      run[i] = keys[i * sets + set];
    if constexpr (sorted_before)
      settle<RUN / 2>(run);
    else
      sort_registers<1>(run);
#pragma GCC unroll 64
    for (int i = 0; i < RUN; ++i)
      keys[i * sets + set] = run[i];
  }
}

// `count` is a multiple of RUN; what is missing to a power of two would be larger than any key and
// stay where it is, so the comparisons with it are left out.
void sort_together(Lanes* keys, int64_t count) {
  for (int64_t i = 0; i < count; i += RUN)
    pass_registers<false>(keys + i * sets);
  for (int64_t half = RUN; half < count; half *= 2)
    for (int64_t i = 0; i + half < count; i += 2 * half) {
      Lanes* const run = keys + i * sets;
      const int64_t length = smaller(2 * half, count - i);
      for (int64_t k = half; k < length; ++k)
        for (int set = 0; set < sets; ++set)
          order(run[(2 * half - 1 - k) * sets + set], run[k * sets + set]);
      for (int64_t distance = half / 2; distance >= RUN; distance /= 2) {
        const int64_t apart = distance * sets;
        for (int64_t j = 0; j + distance < length; j += 2 * distance)
          for (int64_t k = j * sets; k < smaller(j + distance, length - distance) * sets; ++k)
            order(run[k], run[k + apart]);
      }
      for (int64_t k = 0; k < length; k += RUN)
        pass_registers<true>(run + k * sets);
    }
}

void sort_rows(tunecheck::Tensor<Key> keys) {
  const int64_t rows = keys.size(0);
  const int64_t cols = keys.size(1);
  const int64_t count = (cols + RUN - 1) / RUN * RUN;
  const Scratch scratch(count * TOGETHER);
  Lanes* const together = reinterpret_cast<Lanes*>(scratch.data);
  for (int64_t first = 0; first < rows; first += TOGETHER) {
    // A set of rows that is not full is filled up with the last row.
    const int64_t last = smaller(TOGETHER, rows - first) - 1;
    for (int64_t c = 0; c < cols; ++c)
      for (int64_t l = 0; l < TOGETHER; ++l)
        scratch.data[c * TOGETHER + l] = keys(first + smaller(l, last), c);
    for (int64_t i = cols * TOGETHER; i < count * TOGETHER; ++i)
      scratch.data[i] = largest<Key>;
    sort_together(together, count);
    for (int64_t l = 0; l <= last; ++l)
      for (int64_t c = 0; c < cols; ++c)
        keys(first + l, c) = scratch.data[c * TOGETHER + l];
  }
}

#endif

}  // namespace

void sort_inplace(tunecheck::Tensor<KEYS_TYPE> keys) {
  if (keys.size(1) > 1) sort_rows(keys);
}
TUNECHECK_KERNEL(sort_inplace)
