// One block a tile of TILE_ROWS x TILE_COLS elements, which goes through shared memory piece by
// piece. Neighbouring threads read along the direction in which the input is dense, and write along
// the one in which the output is.
#include <tunecheck/gpu_kernel.h>

namespace {

constexpr int threads = TILE_ROWS * TILE_COLS < 256 ? TILE_ROWS * TILE_COLS : 256;
constexpr int piece_rows = TILE_ROWS < 32 ? TILE_ROWS : 32;
constexpr int piece_cols = TILE_COLS < 32 ? TILE_COLS : 32;

// Element `number` of a piece, counted along its rows or along its columns.
struct Place {
  int i, j;
  __device__ Place(int number, bool along_rows)
      : i(along_rows ? number / piece_cols : number % piece_rows),
        j(along_rows ? number % piece_cols : number / piece_rows) {}
};

__device__ int64_t magnitude(int64_t stride) {
  return stride < 0 ? -stride : stride;
}

}  // namespace

extern "C" __global__ void __launch_bounds__(threads)
    transpose_strided(tunecheck::Tensor<IN_TYPE> in, tunecheck::Tensor<OUT_TYPE> out) {
  // One column more than needed: the elements of a column then lie in different banks.
  __shared__ IN_TYPE piece[piece_rows][piece_cols + 1];
  const int64_t rows = in.size(0);
  const int64_t cols = in.size(1);
  const int64_t tiles_across = (cols + TILE_COLS - 1) / TILE_COLS;
  const int64_t first_row = blockIdx.x / tiles_across * TILE_ROWS;
  const int64_t first_col = blockIdx.x % tiles_across * TILE_COLS;
  const bool read_rows = magnitude(in.stride(1)) <= magnitude(in.stride(0));
  const bool write_rows = magnitude(out.stride(0)) <= magnitude(out.stride(1));

  for (int r = 0; r < TILE_ROWS; r += piece_rows)
    for (int c = 0; c < TILE_COLS; c += piece_cols) {
      const int64_t row = first_row + r;
      const int64_t col = first_col + c;
      __syncthreads();  // the piece before may still be read
      for (int number = threadIdx.x; number < piece_rows * piece_cols; number += threads) {
        const Place at(number, read_rows);
        if (row + at.i < rows && col + at.j < cols) piece[at.i][at.j] = in(row + at.i, col + at.j);
      }
      __syncthreads();
      for (int number = threadIdx.x; number < piece_rows * piece_cols; number += threads) {
        const Place at(number, write_rows);
        if (row + at.i < rows && col + at.j < cols) out(col + at.j, row + at.i) = piece[at.i][at.j];
      }
    }
}
