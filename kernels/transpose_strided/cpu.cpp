// out[j, i] = in[i, j], in tiles of TILE_ROWS x TILE_COLS elements of the input. Within a tile the
// output is written along its rows: an input whose columns lie side by side in memory (strides
// "1 n") is then copied in runs of TILE_ROWS elements, while a row-major one is read across its
// rows, in squares that are transposed in registers, and wants a tile whose rows all fit the
// nearest cache.
#include <tunecheck/cpu_kernel.h>

#include "register_transpose.h"

namespace {

int64_t smaller(int64_t a, int64_t b) {
  return a < b ? a : b;
}

struct Tile {
  const IN_TYPE* in;
  int64_t in_i, in_j;
  OUT_TYPE* out;
  int64_t out_j, out_i;
  int64_t rows, cols;
};

template <bool unit>
void move_tile(const Tile& t) {
  for (int64_t j = 0; j < t.cols; ++j)
    for (int64_t i = 0; i < t.rows; ++i)
      if constexpr (unit)
        t.out[j * t.out_j + i] = t.in[i + j * t.in_j];
      else
        t.out[j * t.out_j + i * t.out_i] = t.in[i * t.in_i + j * t.in_j];
}

// Rows of the input and rows of the output lie side by side.
void move_squares(const Tile& t) {
  constexpr int side = square<IN_TYPE>;
  if constexpr (TILE_COLS % side == 0) {
    const int64_t rows = t.rows - t.rows % side;
    const int64_t cols = t.cols - t.cols % side;
    for (int64_t j = 0; j < cols; j += side)
      for (int64_t i = 0; i < rows; i += side)
        transpose_square(t.in + i * t.in_i + j, t.in_i, t.out + j * t.out_j + i, t.out_j);
    move_tile<false>(
        {t.in + rows * t.in_i, t.in_i, 1, t.out + rows, t.out_j, 1, t.rows - rows, t.cols});
    move_tile<false>(
        {t.in + cols, t.in_i, 1, t.out + cols * t.out_j, t.out_j, 1, rows, t.cols - cols});
  } else {
    move_tile<false>(t);
  }
}

}  // namespace

void transpose_strided(tunecheck::Tensor<IN_TYPE> in, tunecheck::Tensor<OUT_TYPE> out) {
  const int64_t rows = in.size(0);
  const int64_t cols = in.size(1);
  auto* const move = out.stride(1) == 1 && in.stride(0) == 1   ? move_tile<true>
                     : out.stride(1) == 1 && in.stride(1) == 1 ? move_squares
                                                               : move_tile<false>;
  for (int64_t i = 0; i < rows; i += TILE_ROWS)
    for (int64_t j = 0; j < cols; j += TILE_COLS)
      move({&in(i, j), in.stride(0), in.stride(1), &out(j, i), out.stride(0), out.stride(1),
            smaller(TILE_ROWS, rows - i), smaller(TILE_COLS, cols - j)});
}
TUNECHECK_KERNEL(transpose_strided)
