// One block for ROWS new rows and TILE_DIM elements of each, of one batch; keys and values alike.
// All blocks of a batch read its position, and the last one to have done so advances it: `arrived`
// counts them.
#include <tunecheck/gpu_kernel.h>

namespace {

constexpr int threads = ROWS * TILE_DIM < 256 ? ROWS * TILE_DIM : 256;

}  // namespace

extern "C" __global__ void __launch_bounds__(threads)
    kv_cache_append(tunecheck::Tensor<KEYS_TYPE> keys, tunecheck::Tensor<VALUES_TYPE> values,
                    tunecheck::Tensor<NEW_KEYS_TYPE> new_keys,
                    tunecheck::Tensor<NEW_VALUES_TYPE> new_values,
                    tunecheck::Tensor<POSITION_TYPE> position,
                    tunecheck::Tensor<ARRIVED_TYPE> arrived) {
  __shared__ int64_t first_row;
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

  if (threadIdx.x == 0) first_row = position(batch);
  __syncthreads();
  const int64_t row = first_row;
  const bool inside = row >= 0 && row < capacity;
  const int64_t count = inside ? (steps < capacity - row ? steps : capacity - row) : 0;

#pragma unroll 4
  for (int number = threadIdx.x; number < ROWS * TILE_DIM; number += threads) {
    const int64_t s = step + number / TILE_DIM;
    const int64_t d = column + number % TILE_DIM;
    if (s < count && d < dim) {
      keys(batch, row + s, d) = new_keys(batch, s, d);
      values(batch, row + s, d) = new_values(batch, s, d);
    }
  }

  if (threadIdx.x == 0) {
    __threadfence();  // the position was read before this block is counted
    if (atomicAdd(&arrived(batch), 1) == static_cast<int>(tiles - 1))
      if (inside) position(batch) = static_cast<POSITION_TYPE>(row + count);
  }
}
