// Appends to a cache of keys and values: rows position[b], position[b] + 1, ... of batch b become
// its new rows, and position[b] advances past them. What does not fit the capacity is not written,
// and the position stops at the capacity; a position that is no row changes nothing. ROWS rows are
// copied together, TILE_DIM elements of each at a time.
#include <tunecheck/cpu_kernel.h>

namespace {

template <class A, class B>
inline constexpr bool same = false;
template <class A>
inline constexpr bool same<A, A> = true;

// One batch of the cache, from the first row to be written, or of what is appended.
template <class T>
struct Rows {
  T* first;
  int64_t row_step, step;
};

template <bool unit, class To, class From>
void copy(To* __restrict__ to, int64_t to_step, const From* __restrict__ from, int64_t from_step,
          int64_t count) {
  if constexpr (unit && same<To, From>) {
    if (count == TILE_DIM)
      __builtin_memcpy(to, from, TILE_DIM * sizeof(To));
    else
      for (int64_t d = 0; d < count; ++d)
        to[d] = from[d];
  } else {
    for (int64_t d = 0; d < count; ++d)
      to[d * to_step] = from[d * from_step];
  }
}

template <bool unit, class To, class From>
void append(Rows<To> to, Rows<From> from, int64_t count, int64_t dim) {
  for (int64_t r = 0; r < count; r += ROWS) {
    const int64_t end = count - r < ROWS ? count : r + ROWS;
    for (int64_t d = 0; d < dim; d += TILE_DIM) {
      const int64_t wide = dim - d < TILE_DIM ? dim - d : TILE_DIM;
      for (int64_t row = r; row < end; ++row)
        copy<unit>(to.first + row * to.row_step + d * to.step, to.step,
                   from.first + row * from.row_step + d * from.step, from.step, wide);
    }
  }
}

template <class To, class From>
void append_to_batch(tunecheck::Tensor<To> cache, tunecheck::Tensor<From> added, int64_t batch,
                     int64_t row, int64_t count) {
  const Rows<To> to{&cache(batch, row, 0), cache.stride(1), cache.stride(2)};
  const Rows<From> from{&added(batch, 0, 0), added.stride(1), added.stride(2)};
  if (to.step == 1 && from.step == 1)
    append<true>(to, from, count, cache.size(2));
  else
    append<false>(to, from, count, cache.size(2));
}

}  // namespace

void kv_cache_append(tunecheck::Tensor<KEYS_TYPE> keys, tunecheck::Tensor<VALUES_TYPE> values,
                     tunecheck::Tensor<NEW_KEYS_TYPE> new_keys,
                     tunecheck::Tensor<NEW_VALUES_TYPE> new_values,
                     tunecheck::Tensor<POSITION_TYPE> position,
                     tunecheck::Tensor<ARRIVED_TYPE> /*arrived*/) {
  const int64_t capacity = keys.size(1);
  if (keys.size(2) == 0) return;  // nothing to append
  for (int64_t b = 0; b < keys.size(0); ++b) {
    const int64_t row = position(b);
    if (row < 0 || row >= capacity) continue;
    const int64_t room = capacity - row;
    const int64_t count = new_keys.size(1) < room ? new_keys.size(1) : room;
    append_to_batch(keys, new_keys, b, row, count);
    append_to_batch(values, new_values, b, row, count);
    position(b) = static_cast<POSITION_TYPE>(row + count);
  }
}
TUNECHECK_KERNEL(kv_cache_append)
