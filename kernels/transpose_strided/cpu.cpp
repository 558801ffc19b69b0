// out[j, i] = in[i, j], in tiles of TILE_ROWS x TILE_COLS elements of the input. Within a tile the
// output is written along its rows: an input whose columns lie side by side in memory (strides
// "1 n") is then copied in runs of TILE_ROWS elements, while a row-major one is read across its
// rows and wants a tile whose rows all fit the nearest cache.
#include <tunecheck/cpu_kernel.h>

namespace {

int64_t smaller(int64_t a, int64_t b) {
  return a < b ? a : b;
}

template <bool unit>
void move_tile(const IN_TYPE* in, int64_t in_i, int64_t in_j, OUT_TYPE* out, int64_t out_j,
               int64_t out_i, int64_t rows, int64_t cols) {
  for (int64_t j = 0; j < cols; ++j)
    for (int64_t i = 0; i < rows; ++i)
      if constexpr (unit)
        out[j * out_j + i] = in[i + j * in_j];
      else
        out[j * out_j + i * out_i] = in[i * in_i + j * in_j];
}

}  // namespace

void transpose_strided(tunecheck::Tensor<IN_TYPE> in, tunecheck::Tensor<OUT_TYPE> out) {
  const int64_t rows = in.size(0);
  const int64_t cols = in.size(1);
  const bool unit = in.stride(0) == 1 && out.stride(1) == 1;
  for (int64_t i = 0; i < rows; i += TILE_ROWS)
    for (int64_t j = 0; j < cols; j += TILE_COLS)
      (unit ? move_tile<true> : move_tile<false>)(&in(i, j), in.stride(0), in.stride(1), &out(j, i),
                                                  out.stride(0), out.stride(1),
                                                  smaller(TILE_ROWS, rows - i),
                                                  smaller(TILE_COLS, cols - j));
}
TUNECHECK_KERNEL(transpose_strided)
