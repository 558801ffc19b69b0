// One block a tile of TILE_ROWS x TILE_COLS elements, which goes through shared memory piece by
// piece. Where the rows of both tensors are dense and aligned and the tile is whole, threads move
// vectors of up to 16 bytes, and the next piece is on its way while one is written. Else they move
// single elements: neighbouring threads read along the direction in which the input is dense, and
// write along the one in which the output is.
#include <tunecheck/gpu_rows.h>

namespace {

using tunecheck::Row;
using tunecheck::Vector;

constexpr int threads = TILE_ROWS * TILE_COLS < 256 ? TILE_ROWS * TILE_COLS : 256;
constexpr int piece_cols = TILE_COLS < 64 ? TILE_COLS : 64;
constexpr int most_rows = piece_cols < 4 ? 256 / piece_cols : 64;
constexpr int piece_rows = TILE_ROWS < most_rows ? TILE_ROWS : most_rows;
constexpr int elements = piece_rows * piece_cols;
static_assert(elements % threads == 0, "each thread has as many elements of a piece");

constexpr int vector_width = tunecheck::vector_width_of<8, IN_TYPE, OUT_TYPE>();
constexpr bool vectors_fit = piece_rows % vector_width == 0 && piece_cols % vector_width == 0;

// One bank more than needed: the elements of a column then lie in different banks.
constexpr int pitch = piece_cols + static_cast<int>(4 / sizeof(IN_TYPE));

// Element `number` of a piece, counted along its rows or along its columns.
struct Place {
  int i, j;
  __device__ Place(int number, bool along_rows)
      : i(along_rows ? number / piece_cols : number % piece_rows),
        j(along_rows ? number % piece_cols : number / piece_rows) {}
};

// Of the vectors; 1 keeps the code valid that is not called where none fits.
constexpr int width = vectors_fit ? vector_width : 1;

__device__ int64_t magnitude(int64_t stride) {
  return stride < 0 ? -stride : stride;
}

// True where every row of the tensor can be read or written in vectors.
template <class T>
__device__ bool rows_have_vectors(const tunecheck::Tensor<T>& tensor) {
  return tensor.stride(0) % width == 0 &&
         Row<T>{tensor.data(), tensor.stride(1)}.template has_vectors<width>();
}

// The vectors of a piece that this thread reads, and those of the result that it writes.
struct Vectors {
  static constexpr int all = elements / width;
  static constexpr int each = (all + threads - 1) / threads;
  Vector<IN_TYPE, width> loaded[each];

  static __device__ bool has(int number) { return all % threads == 0 || number < all; }

  __device__ void load(const tunecheck::Tensor<IN_TYPE>& in, int64_t row, int64_t col) {
#pragma unroll
    for (int v = 0; v < each; ++v) {
      const int number = static_cast<int>(threadIdx.x) + v * threads;
      const int i = number / (piece_cols / width);
      const int j = number % (piece_cols / width) * width;
      if (has(number)) loaded[v] = Row<IN_TYPE>{&in(row + i, col), 1}.load<width>(j);
    }
  }
  __device__ void put(IN_TYPE* piece) const {
#pragma unroll
    for (int v = 0; v < each; ++v) {
      const int number = static_cast<int>(threadIdx.x) + v * threads;
      const int i = number / (piece_cols / width);
      const int j = number % (piece_cols / width) * width;
      if (!has(number)) continue;
#pragma unroll
      for (int e = 0; e < width; ++e)
        piece[i * pitch + j + e] = loaded[v].elements[e];
    }
  }
  static __device__ void store(const IN_TYPE* piece, const tunecheck::Tensor<OUT_TYPE>& out,
                               int64_t row, int64_t col) {
#pragma unroll
    for (int v = 0; v < each; ++v) {
      const int number = static_cast<int>(threadIdx.x) + v * threads;
      const int i = number % (piece_rows / width) * width;
      const int j = number / (piece_rows / width);
      if (!has(number)) continue;
      Vector<OUT_TYPE, width> column;
#pragma unroll
      for (int e = 0; e < width; ++e)
        column.elements[e] = piece[(i + e) * pitch + j];
      Row<OUT_TYPE>{&out(col + j, row), 1}.store<width>(i, column);
    }
  }
};

__device__ void move_vectors(IN_TYPE* piece, const tunecheck::Tensor<IN_TYPE>& in,
                             const tunecheck::Tensor<OUT_TYPE>& out, int64_t first_row,
                             int64_t first_col) {
  constexpr int across = TILE_COLS / piece_cols;
  constexpr int pieces = TILE_ROWS / piece_rows * across;
  Vectors vectors;
  vectors.load(in, first_row, first_col);
#pragma unroll
  for (int p = 0; p < pieces; ++p) {
    if (p > 0) __syncthreads();  // the piece before may still be read
    vectors.put(piece);
    __syncthreads();
    if (p + 1 < pieces)
      vectors.load(in, first_row + (p + 1) / across * piece_rows,
                   first_col + (p + 1) % across * piece_cols);
    Vectors::store(piece, out, first_row + p / across * piece_rows,
                   first_col + p % across * piece_cols);
  }
}

__device__ void move_elements(IN_TYPE* piece, const tunecheck::Tensor<IN_TYPE>& in,
                              const tunecheck::Tensor<OUT_TYPE>& out, int64_t row, int64_t col) {
  constexpr int each = elements / threads;
  constexpr int at_once = each < 4 ? each : 4;
  const int64_t rows = in.size(0);
  const int64_t cols = in.size(1);
  const bool read_rows = magnitude(in.stride(1)) <= magnitude(in.stride(0));
  const bool write_rows = magnitude(out.stride(0)) <= magnitude(out.stride(1));
  __syncthreads();  // the piece before may still be read
#pragma unroll 1
  for (int first = threadIdx.x; first < elements; first += threads * at_once) {
    IN_TYPE part[at_once];
#pragma unroll
    for (int k = 0; k < at_once; ++k) {
      const Place at(first + k * threads, read_rows);
      if (row + at.i < rows && col + at.j < cols) part[k] = in(row + at.i, col + at.j);
    }
#pragma unroll
    for (int k = 0; k < at_once; ++k) {
      const Place at(first + k * threads, read_rows);
      piece[at.i * pitch + at.j] = part[k];
    }
  }
  __syncthreads();
#pragma unroll 1
  for (int number = threadIdx.x; number < elements; number += threads) {
    const Place at(number, write_rows);
    if (row + at.i < rows && col + at.j < cols)
      out(col + at.j, row + at.i) = piece[at.i * pitch + at.j];
  }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(threads)
    transpose_strided(tunecheck::Tensor<IN_TYPE> in, tunecheck::Tensor<OUT_TYPE> out) {
  __shared__ IN_TYPE piece[piece_rows * pitch];
  const int64_t rows = in.size(0);
  const int64_t cols = in.size(1);
  const int64_t tiles_across = (cols + TILE_COLS - 1) / TILE_COLS;
  const int64_t first_row = blockIdx.x / tiles_across * TILE_ROWS;
  const int64_t first_col = blockIdx.x % tiles_across * TILE_COLS;
  if constexpr (vectors_fit) {
    const bool whole = first_row + TILE_ROWS <= rows && first_col + TILE_COLS <= cols;
    if (whole && rows_have_vectors(in) && rows_have_vectors(out)) {
      move_vectors(piece, in, out, first_row, first_col);
      return;
    }
  }
  for (int r = 0; r < TILE_ROWS; r += piece_rows)
    for (int c = 0; c < TILE_COLS; c += piece_cols)
      move_elements(piece, in, out, first_row + r, first_col + c);
}
