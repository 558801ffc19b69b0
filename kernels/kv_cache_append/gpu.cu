// One block for ROWS new rows and TILE_DIM elements of each, of one batch; keys and values alike,
// in vectors of up to 16 bytes where all rows lie so. A thread has a few loads of both on their way
// while it reads the position. All blocks of a batch read it, and the last one to have done so
// advances it: `arrived` counts them.
#include <tunecheck/gpu_rows.h>

namespace {

using tunecheck::Row;
using tunecheck::Tensor;
using tunecheck::Vector;

constexpr int threads = ROWS * TILE_DIM < 256 ? ROWS * TILE_DIM : 256;
constexpr int vector_width =
    tunecheck::vector_width_of<8, KEYS_TYPE, VALUES_TYPE, NEW_KEYS_TYPE, NEW_VALUES_TYPE>();

// True where vectors of `vector_width` elements of a row are aligned, whatever the row.
template <class T>
__device__ bool rows_have_vectors(const Tensor<T>& tensor) {
  return tensor.stride(0) % vector_width == 0 && tensor.stride(1) % vector_width == 0 &&
         Row<T>{tensor.data(), tensor.stride(2)}.template has_vectors<vector_width>();
}

// One of the two caches and what is appended to it.
template <class To, class From>
struct Cache {
  const Tensor<To>& kept;
  const Tensor<From>& added;
  int64_t batch;

  __device__ bool has_vectors() const {
    return rows_have_vectors(kept) && rows_have_vectors(added);
  }
  template <int width>
  __device__ Vector<From, width> load(int64_t step, int column) const {
    return Row<From>{&added(batch, step, 0), added.stride(2)}.template load<width>(column);
  }
  template <int width>
  __device__ void store(int64_t row, int column, const Vector<From, width>& from) const {
    Vector<To, width> to;
#pragma unroll
    for (int e = 0; e < width; ++e)
      to.elements[e] = from.elements[e];
    Row<To>{&kept(batch, row, 0), kept.stride(2)}.template store<width>(column, to);
  }
};

using Keys = Cache<KEYS_TYPE, NEW_KEYS_TYPE>;
using Values = Cache<VALUES_TYPE, NEW_VALUES_TYPE>;

// Appends up to `count` of all `steps` rows from `row` on: those of the tile at (step, column).
template <int width>
__device__ void append(const Keys& keys, const Values& values, int64_t row, int64_t count,
                       int64_t step, int64_t column) {
  constexpr int across = TILE_DIM / width;
  constexpr int vectors = ROWS * across;
  constexpr int each = vectors < threads ? 1 : vectors / threads;
  constexpr int at_once = each < 4 ? each : 4;
  const int64_t steps = keys.added.size(1);
  const int64_t dim = keys.added.size(2);
#pragma unroll 1
  for (int first = threadIdx.x; first < vectors; first += threads * at_once) {
    Vector<NEW_KEYS_TYPE, width> new_keys[at_once];
    Vector<NEW_VALUES_TYPE, width> new_values[at_once];
#pragma unroll
    for (int u = 0; u < at_once; ++u) {
      const int64_t s = step + (first + u * threads) / across;
      const int64_t d = column + (first + u * threads) % across * width;
      if (s >= steps || d >= dim) continue;
      new_keys[u] = keys.template load<width>(s, static_cast<int>(d));
      new_values[u] = values.template load<width>(s, static_cast<int>(d));
    }
#pragma unroll
    for (int u = 0; u < at_once; ++u) {
      const int64_t s = step + (first + u * threads) / across;
      const int64_t d = column + (first + u * threads) % across * width;
      if (s >= count || d >= dim) continue;
      keys.template store<width>(row + s, static_cast<int>(d), new_keys[u]);
      values.template store<width>(row + s, static_cast<int>(d), new_values[u]);
    }
  }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(threads)
    kv_cache_append(Tensor<KEYS_TYPE> keys, Tensor<VALUES_TYPE> values,
                    Tensor<NEW_KEYS_TYPE> new_keys, Tensor<NEW_VALUES_TYPE> new_values,
                    Tensor<POSITION_TYPE> position, Tensor<ARRIVED_TYPE> arrived) {
  const int64_t capacity = keys.size(1);
  const int64_t dim = keys.size(2);
  const int64_t steps = new_keys.size(1);
  const int64_t dim_tiles = (dim + TILE_DIM - 1) / TILE_DIM;
  const int64_t tiles = (steps + ROWS - 1) / ROWS * dim_tiles;  // of a batch
  const int64_t batch = blockIdx.x / tiles;
  if (batch >= keys.size(0)) return;  // the whole block
  const int64_t tile = blockIdx.x % tiles;
  const int64_t step = tile / dim_tiles * ROWS;
  const int64_t column = tile % dim_tiles * TILE_DIM;

  const int64_t row = position(batch);
  const bool inside = row >= 0 && row < capacity;
  const int64_t count = inside ? (steps < capacity - row ? steps : capacity - row) : 0;
  const Keys both_keys{keys, new_keys, batch};
  const Values both_values{values, new_values, batch};
  if (TILE_DIM % vector_width == 0 && dim % vector_width == 0 && both_keys.has_vectors() &&
      both_values.has_vectors())
    append<TILE_DIM % vector_width == 0 ? vector_width : 1>(both_keys, both_values, row, count,
                                                            step, column);
  else
    append<1>(both_keys, both_values, row, count, step, column);

  __syncthreads();  // all threads have read the position
  if (threadIdx.x == 0) {
    __threadfence();  // and did so before this block is counted
    if (atomicAdd(&arrived(batch), 1) == static_cast<int>(tiles - 1))
      if (inside) position(batch) = static_cast<POSITION_TYPE>(row + count);
  }
}
