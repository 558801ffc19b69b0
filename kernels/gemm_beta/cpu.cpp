// C = alpha * A * B + beta * C in tiles of TILE_M x TILE_N elements of C. TILE_K columns of A and
// as many rows of B are packed at a time, and MICRO rows of the tile are summed in registers.
#include <tunecheck/cpu_kernel.h>

#include "tile_product.h"

void gemm_beta(tunecheck::Tensor<A_TYPE> a, tunecheck::Tensor<B_TYPE> b,
               tunecheck::Tensor<C_TYPE> c, float alpha, float beta) {
  alignas(64) float left[TILE_M * TILE_K];
  alignas(64) float right[TILE_K * TILE_N];
  alignas(64) float sums[TILE_M * TILE_N];
  for (int64_t i = 0; i < c.size(0); i += TILE_M)
    for (int64_t j = 0; j < c.size(1); j += TILE_N) {
      for (float& sum : sums)
        sum = 0;
      for (int64_t p = 0; p < a.size(1); p += TILE_K) {
        pack<TILE_M, TILE_K>(left, a, i, p);
        pack<TILE_K, TILE_N>(right, b, p, j);
        add_product<TILE_M, TILE_N, TILE_K, MICRO>(left, right, sums);
      }
      const int64_t rows = c.size(0) - i < TILE_M ? c.size(0) - i : TILE_M;
      const int64_t columns = c.size(1) - j < TILE_N ? c.size(1) - j : TILE_N;
      for (int64_t r = 0; r < rows; ++r)
        for (int64_t s = 0; s < columns; ++s)
          c(i + r, j + s) = alpha * sums[r * TILE_N + s] + beta * c(i + r, j + s);
    }
}
TUNECHECK_KERNEL(gemm_beta)
