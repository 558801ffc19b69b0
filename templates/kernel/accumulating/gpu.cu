// sums += the sums of the columns of x. A block takes TILE_COLS columns: as many threads as there
// is room for work side by side, the others share their columns, TILE_ROWS rows in a step each.
// DECIDE: no block waits for another one, so two blocks must not add to the same element, except by
// atomicAdd.
#include <tunecheck/gpu_kernel.h>

namespace {

constexpr int threads = 256;
constexpr int width = TILE_COLS < threads ? TILE_COLS : threads;
constexpr int lanes = threads / width;  // threads that share a column

}  // namespace

extern "C" __global__ void __launch_bounds__(threads)
    my_kernel(tunecheck::Tensor<X_TYPE> x, tunecheck::Tensor<SUMS_TYPE> sums) {
  __shared__ float parts[lanes][width];
  const int column = static_cast<int>(threadIdx.x) % width;
  const int lane = static_cast<int>(threadIdx.x) / width;
  const int64_t rows = x.size(0), cols = x.size(1);
  for (int tile = 0; tile < TILE_COLS; tile += width) {
    const int64_t c = static_cast<int64_t>(blockIdx.x) * TILE_COLS + tile + column;
    float sum = 0;
    if (c < cols)
      for (int64_t r = lane * TILE_ROWS; r < rows; r += lanes * TILE_ROWS)
#pragma unroll
        for (int k = 0; k < TILE_ROWS; ++k)
          if (r + k < rows) sum += x(r + k, c);
    __syncthreads();  // the sums of the tile before may still be read
    parts[lane][column] = sum;
    __syncthreads();
    if (lane != 0 || c >= cols) continue;
    for (int l = 1; l < lanes; ++l)
      sum += parts[l][column];
    sums(c) += sum;
  }
}
