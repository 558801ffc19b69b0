#pragma once
// Tiles of matrices that a block of threads multiplies, for GPU kernels: `#include
// <tunecheck/gpu_tiles.h>`.
#include <tunecheck/gpu_rows.h>

namespace tunecheck {

/// tile[height][pitch] = the part of `from` that begins at (row, column), up to (row_end,
/// column_end), zeros for the rest. The tile is in shared memory, and the block has `threads`.
/// Neighbouring threads read along the direction in which `from` is dense.
template <int threads, int height, int width, int pitch, class T>
__device__ void load_tile(float* tile, const Tensor<T>& from, int64_t row, int64_t row_end,
                          int64_t column, int64_t column_end) {
  const auto magnitude = [](int64_t stride) { return stride < 0 ? -stride : stride; };
  const bool along_rows = magnitude(from.stride(1)) <= magnitude(from.stride(0));
  for (int number = threadIdx.x; number < height * width; number += threads) {
    const int i = along_rows ? number / width : number % height;
    const int j = along_rows ? number % width : number / height;
    const bool inside = row + i < row_end && column + j < column_end;
    tile[i * pitch + j] = inside ? static_cast<float>(from(row + i, column + j)) : 0.0f;
  }
}

/// `width` elements that begin at a multiple of their size, in shared memory.
template <int width, class T>
__device__ Vector<T, width> take(const T* from) {
  Vector<T, width> vector;
  vector.word = *reinterpret_cast<const typename Word<sizeof(T) * width>::type*>(from);
  return vector;
}

/// What one of `threads` moves of a tile of height x wide elements, in vectors of `width`, and of
/// the same part of those that follow it, each `step` elements further on. The rows of the matrix
/// have such vectors, and the tiles lie in it as a whole.
template <class T, int threads, int height, int wide, int width = 4>
class TileVectors {
 public:
  static constexpr int all = height * wide / width;
  static constexpr int each = (all + threads - 1) / threads;
  Vector<T, width> loaded[each];

  __device__ TileVectors(const Tensor<T>& from, int64_t row, int64_t column, int64_t step)
      : m_step(step) {
    for_each([&](int v, int i, int j) { m_from[v] = &from(row + i, column) + j; });
  }

  /// Calls use(v, i, j) for each vector v, at (i, j) of the tile.
  template <class Use>
  static __device__ void for_each(Use use) {
#pragma unroll
    for (int v = 0; v < each; ++v) {
      const int number = static_cast<int>(threadIdx.x) + v * threads;
      if (all % threads == 0 || number < all)
        use(v, number / (wide / width), number % (wide / width) * width);
    }
  }
  /// The next tile, to registers.
  __device__ void load() {
    for_each([&](int v, int, int) {
      loaded[v] = Row<T>{m_from[v], 1}.template load<width>(0);
      m_from[v] += m_step;
    });
  }
  /// The next tile, to tile[height][pitch] in shared memory: it may still be on its way afterwards,
  /// where a device has that, as a part of this thread's group of copies.
  template <int pitch>
  __device__ void copy(T* tile) {
    constexpr int bytes = sizeof(T) * width;
    if constexpr (has_copies_ahead && bytes >= 4) {
      for_each([&](int v, int i, int j) {
        copy_ahead<bytes>(tile + i * pitch + j, m_from[v]);
        m_from[v] += m_step;
      });
    } else {
      load();
      for_each([&](int v, int i, int j) {
        *reinterpret_cast<typename Word<bytes>::type*>(tile + i * pitch + j) = loaded[v].word;
      });
    }
  }

 private:
  T* m_from[each];
  int64_t m_step;
};

}  // namespace tunecheck
