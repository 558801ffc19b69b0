// One block for each tile of TILE_M x TILE_N elements of C and each of SPLIT_K slices of k: it adds
// the product of its slice to C atomically, in whatever order the blocks end. A thread sums 4 x 4
// elements in registers. Those lie apart, so that neighbouring threads have neighbouring columns.
#include <tunecheck/gpu_kernel.h>

namespace {

constexpr int depth = 32;  // of k, in shared memory at a time
constexpr int micro = 4;
constexpr int across = TILE_N / micro;  // threads
constexpr int down = TILE_M / micro;
constexpr int threads = across * down;

__device__ int64_t magnitude(int64_t stride) {
  return stride < 0 ? -stride : stride;
}

// tile[height][pitch] = the part of `from` that begins at (row, column), up to (row_end,
// column_end), zeros for the rest. Neighbouring threads read along the direction in which `from` is
// dense.
template <int height, int width, int pitch, class T>
__device__ void load(float* tile, const tunecheck::Tensor<T>& from, int64_t row, int64_t row_end,
                     int64_t column, int64_t column_end) {
  const bool along_rows = magnitude(from.stride(1)) <= magnitude(from.stride(0));
  for (int number = threadIdx.x; number < height * width; number += threads) {
    const int i = along_rows ? number / width : number % height;
    const int j = along_rows ? number % width : number / height;
    const bool inside = row + i < row_end && column + j < column_end;
    tile[i * pitch + j] = inside ? static_cast<float>(from(row + i, column + j)) : 0.0f;
  }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(threads)
    gemm_splitk(tunecheck::Tensor<A_TYPE> a, tunecheck::Tensor<B_TYPE> b,
                tunecheck::Tensor<C_TYPE> c) {
  // One column more than needed: the elements of a column then lie in different banks.
  __shared__ float left[TILE_M * (depth + 1)];
  __shared__ float right[depth * (TILE_N + 1)];
  const int64_t m = c.size(0);
  const int64_t n = c.size(1);
  const int64_t k = a.size(1);
  const int64_t slice = (k + SPLIT_K - 1) / SPLIT_K;
  const int64_t begin = blockIdx.x % SPLIT_K * slice;
  const int64_t end = begin + slice < k ? begin + slice : k;
  if (begin >= end) return;  // the whole block: fewer elements than slices
  const int64_t tile = blockIdx.x / SPLIT_K;
  const int64_t tiles_across = (n + TILE_N - 1) / TILE_N;
  const int64_t first_row = tile / tiles_across * TILE_M;
  const int64_t first_column = tile % tiles_across * TILE_N;
  const int x = threadIdx.x % across;
  const int y = threadIdx.x / across;

  float sums[micro][micro] = {};
  for (int64_t p = begin; p < end; p += depth) {
    load<TILE_M, depth, depth + 1>(left, a, first_row, m, p, end);
    load<depth, TILE_N, TILE_N + 1>(right, b, p, end, first_column, n);
    __syncthreads();
#pragma unroll 8
    for (int q = 0; q < depth; ++q) {
      float of_a[micro];
      float of_b[micro];
#pragma unroll
      for (int r = 0; r < micro; ++r)
        of_a[r] = left[(y + r * down) * (depth + 1) + q];
#pragma unroll
      for (int s = 0; s < micro; ++s)
        of_b[s] = right[q * (TILE_N + 1) + x + s * across];
#pragma unroll
      for (int r = 0; r < micro; ++r)
#pragma unroll
        for (int s = 0; s < micro; ++s)
          sums[r][s] += of_a[r] * of_b[s];
    }
    __syncthreads();  // the next tiles go where these are read
  }

#pragma unroll
  for (int r = 0; r < micro; ++r)
#pragma unroll
    for (int s = 0; s < micro; ++s) {
      const int64_t i = first_row + y + r * down;
      const int64_t j = first_column + x + s * across;
      if (i >= m || j >= n) continue;
      if (SPLIT_K == 1)
        c(i, j) += sums[r][s];  // no other block has this element
      else
        atomicAdd(&c(i, j), sums[r][s]);
    }
}
