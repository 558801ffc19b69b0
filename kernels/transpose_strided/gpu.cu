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
constexpr bool vectors_fit =
    piece_rows % vector_width == 0 && piece_cols % vector_width == 0 && piece_cols % 4 == 0;

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

// Which tile a block has, in tiles. Blocks go down all rows in stripes of a few tiles: those
// that run at the same time then read and write long parts of rows of both tensors. The stripes of
// a whole row would leave the result in pieces as short as a tile is high.
struct Tile {
  unsigned row, col;
};
__device__ Tile tile_of(int64_t rows, int64_t cols) {
  const auto down = static_cast<unsigned>((rows + TILE_ROWS - 1) / TILE_ROWS);
  const auto across = static_cast<unsigned>((cols + TILE_COLS - 1) / TILE_COLS);
  const unsigned stripe = across < 16 ? across : 16;
  const unsigned first = blockIdx.x / (stripe * down) * stripe;
  const unsigned wide = across - first < stripe ? across - first : stripe;
  const unsigned number = blockIdx.x % (stripe * down);
  return {number / wide, first + number % wide};
}

// The vectors of a piece that this thread reads, and those of the result that it writes. In shared
// memory a row's vectors change places with each other, by the number of the row's own vector of
// the result: so neither rows of vectors nor columns of elements meet in the same banks.
struct Vectors {
  static constexpr unsigned all = elements / width;
  static constexpr unsigned each = (all + threads - 1) / threads;
  static constexpr unsigned across = piece_cols / width;  // vectors of the input in a row
  static constexpr unsigned down = piece_rows / width;    // of the result in a column
  static constexpr unsigned places = across < 8 ? across : 8;
  // So many neighbours among the threads write a column, and so many columns are next to each
  // other.
  static constexpr unsigned side = down < 8 ? down : 8;
  static constexpr unsigned columns = 4;
  Vector<IN_TYPE, width> loaded[each];

  // Calls use(v, number) for each vector v of this thread.
  template <class Use>
  static __device__ void for_each(Use use) {
#pragma unroll
    for (unsigned v = 0; v < each; ++v) {
      const unsigned number = threadIdx.x + v * threads;
      if (all % threads == 0 || number < all) use(v, number);
    }
  }
  // Of the vector that begins at (i, j).
  static __device__ unsigned place(unsigned i, unsigned j) {
    return i * piece_cols + (j / width ^ i / width % places) * width;
  }

  __device__ void load(const tunecheck::Tensor<IN_TYPE>& in, int64_t row, int64_t col) {
    for_each([&](unsigned v, unsigned number) {
      const Row<IN_TYPE> from{&in(row + number / across, col), 1};
      loaded[v] = from.load<width>(static_cast<int>(number % across) * width);
    });
  }
  __device__ void put(IN_TYPE* piece) const {
    for_each([&](unsigned v, unsigned number) {
      IN_TYPE* const at = &piece[place(number / across, number % across * width)];
      reinterpret_cast<Vector<IN_TYPE, width>*>(at)->word = loaded[v].word;
    });
  }
  static __device__ void store(const IN_TYPE* piece, const tunecheck::Tensor<OUT_TYPE>& out,
                               int64_t row, int64_t col) {
    for_each([&](unsigned, unsigned number) {
      const unsigned i = (number % side + number / (side * columns) % (down / side) * side) * width;
      const unsigned j = number / side % columns + number / (columns * down) * columns;
      const IN_TYPE* const from = &piece[place(i, j) + j % width];
      Vector<OUT_TYPE, width> column;
#pragma unroll
      for (unsigned e = 0; e < width; ++e)
        column.elements[e] = from[e * piece_cols];
      Row<OUT_TYPE>{&out(col + j, row), 1}.store<width>(static_cast<int>(i), column);
    });
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

extern "C" __global__ void __launch_bounds__(threads, TILE_ROWS > piece_rows ? 4 : 8)
    transpose_strided(tunecheck::Tensor<IN_TYPE> in, tunecheck::Tensor<OUT_TYPE> out) {
  alignas(16) __shared__ IN_TYPE piece[piece_rows * pitch];
  const int64_t rows = in.size(0);
  const int64_t cols = in.size(1);
  const Tile tile = tile_of(rows, cols);
  const int64_t first_row = static_cast<int64_t>(tile.row) * TILE_ROWS;
  const int64_t first_col = static_cast<int64_t>(tile.col) * TILE_COLS;
  if constexpr (vectors_fit) {
    const bool whole = first_row + TILE_ROWS <= rows && first_col + TILE_COLS <= cols;
    if (whole && tunecheck::rows_have_vectors<width>(in) &&
        tunecheck::rows_have_vectors<width>(out)) {
      move_vectors(piece, in, out, first_row, first_col);
      return;
    }
  }
  for (int r = 0; r < TILE_ROWS; r += piece_rows)
    for (int c = 0; c < TILE_COLS; c += piece_cols)
      move_elements(piece, in, out, first_row + r, first_col + c);
}
