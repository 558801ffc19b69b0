// C += A * B, where k is cut into SPLIT_K slices: slice after slice, the product of its columns of
// A and its rows of B is added to C, in tiles of TILE_M x TILE_N. Always in the same order, so the
// sums of two launches have the same bits.
#include <tunecheck/cpu_kernel.h>

#include "tile_product.h"

namespace {

constexpr int depth = 32;  // columns of A, and rows of B, that are packed at a time
constexpr int rows_in_registers = 4;

}  // namespace

void gemm_splitk(tunecheck::Tensor<A_TYPE> a, tunecheck::Tensor<B_TYPE> b,
                 tunecheck::Tensor<C_TYPE> c) {
  alignas(64) float left[TILE_M * depth];
  alignas(64) float right[depth * TILE_N];
  alignas(64) float sums[TILE_M * TILE_N];
  const int64_t m = c.size(0);
  const int64_t n = c.size(1);
  const int64_t k = a.size(1);
  const int64_t slice = (k + SPLIT_K - 1) / SPLIT_K;
  for (int64_t begin = 0; begin < k; begin += slice) {
    const int64_t end = k - begin < slice ? k : begin + slice;
    for (int64_t i = 0; i < m; i += TILE_M)
      for (int64_t j = 0; j < n; j += TILE_N) {
        for (float& sum : sums)
          sum = 0;
        for (int64_t p = begin; p < end; p += depth) {
          pack<TILE_M, depth>(left, &a(i, p), a, m - i, end - p);
          pack<depth, TILE_N>(right, &b(p, j), b, end - p, n - j);
          add_product<TILE_M, TILE_N, depth, rows_in_registers>(left, right, sums);
        }
        const int64_t rows = m - i < TILE_M ? m - i : TILE_M;
        const int64_t columns = n - j < TILE_N ? n - j : TILE_N;
        for (int64_t r = 0; r < rows; ++r)
          for (int64_t s = 0; s < columns; ++s)
            c(i + r, j + s) += sums[r * TILE_N + s];
      }
  }
}
TUNECHECK_KERNEL(gemm_splitk)
