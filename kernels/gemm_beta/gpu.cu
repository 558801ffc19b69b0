// One block a tile of TILE_M x TILE_N elements of C. TILE_K columns of A and as many rows of B pass
// through shared memory at a time; each thread sums MICRO x MICRO elements in registers. Those lie
// apart, so that neighbouring threads have neighbouring columns.
#include <tunecheck/gpu_kernel.h>

namespace {

constexpr int across = TILE_N / MICRO;  // threads
constexpr int down = TILE_M / MICRO;
constexpr int threads = across * down;

__device__ int64_t magnitude(int64_t stride) {
  return stride < 0 ? -stride : stride;
}

// tile[height][pitch] = the part of `from` that begins at (row, column), zeros for what lies
// outside. Neighbouring threads read along the direction in which `from` is dense.
template <int height, int width, int pitch, class T>
__device__ void load(float* tile, const tunecheck::Tensor<T>& from, int64_t row, int64_t column) {
  const bool along_rows = magnitude(from.stride(1)) <= magnitude(from.stride(0));
  for (int number = threadIdx.x; number < height * width; number += threads) {
    const int i = along_rows ? number / width : number % height;
    const int j = along_rows ? number % width : number / height;
    const bool inside = row + i < from.size(0) && column + j < from.size(1);
    tile[i * pitch + j] = inside ? static_cast<float>(from(row + i, column + j)) : 0.0f;
  }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(threads)
    gemm_beta(tunecheck::Tensor<A_TYPE> a, tunecheck::Tensor<B_TYPE> b, tunecheck::Tensor<C_TYPE> c,
              float alpha, float beta) {
  // One column more than needed: the elements of a column then lie in different banks.
  __shared__ float left[TILE_M * (TILE_K + 1)];
  __shared__ float right[TILE_K * (TILE_N + 1)];
  const int64_t tiles_across = (c.size(1) + TILE_N - 1) / TILE_N;
  const int64_t first_row = blockIdx.x / tiles_across * TILE_M;
  const int64_t first_column = blockIdx.x % tiles_across * TILE_N;
  const int x = threadIdx.x % across;
  const int y = threadIdx.x / across;

  float sums[MICRO][MICRO] = {};
  for (int64_t p = 0; p < a.size(1); p += TILE_K) {
    load<TILE_M, TILE_K, TILE_K + 1>(left, a, first_row, p);
    load<TILE_K, TILE_N, TILE_N + 1>(right, b, p, first_column);
    __syncthreads();
#pragma unroll 8
    for (int q = 0; q < TILE_K; ++q) {
      float of_a[MICRO];
      float of_b[MICRO];
#pragma unroll
      for (int r = 0; r < MICRO; ++r)
        of_a[r] = left[(y + r * down) * (TILE_K + 1) + q];
#pragma unroll
      for (int s = 0; s < MICRO; ++s)
        of_b[s] = right[q * (TILE_N + 1) + x + s * across];
#pragma unroll
      for (int r = 0; r < MICRO; ++r)
#pragma unroll
        for (int s = 0; s < MICRO; ++s)
          sums[r][s] += of_a[r] * of_b[s];
    }
    __syncthreads();  // the next tiles go where these are read
  }

#pragma unroll
  for (int r = 0; r < MICRO; ++r)
#pragma unroll
    for (int s = 0; s < MICRO; ++s) {
      const int64_t i = first_row + y + r * down;
      const int64_t j = first_column + x + s * across;
      if (i < c.size(0) && j < c.size(1))
        c(i, j) = alpha * sums[r][s] + beta * static_cast<float>(c(i, j));
    }
}
