// One block a tile of TILE_M x TILE_N elements of C. TILE_K columns of A and as many rows of B pass
// through shared memory at a time; each thread sums MICRO x MICRO elements in registers. Where all
// rows are dense and aligned and the tiles whole, these are blocks of 4 x 4, for which a thread
// reads vectors out of shared memory, and the next tiles are on their way meanwhile. Else they lie
// apart, so that neighbouring threads have neighbouring columns.
#include <tunecheck/gpu_tiles.h>

namespace {

constexpr int across = TILE_N / MICRO;  // threads
constexpr int down = TILE_M / MICRO;
constexpr int threads = across * down;

constexpr int width = 4;
constexpr bool vectors_fit = MICRO % width == 0;
constexpr int blocks = vectors_fit ? MICRO / width : 1;  // of a thread, on each side

using OfA = tunecheck::TileVectors<A_TYPE, threads, TILE_M, TILE_K>;
using OfB = tunecheck::TileVectors<B_TYPE, threads, TILE_K, TILE_N>;

// The tiles of A, whose columns are dense there, and of B, in shared memory.
struct Tiles {
  static constexpr int left_pitch = TILE_M + width;
  static constexpr int left_size = TILE_K * left_pitch;
  static constexpr int size = left_size + TILE_K * TILE_N;
  float* memory;

  __device__ void put(const OfA& of_a, const OfB& of_b) const {
    of_a.for_each([&](int v, int i, int j) {
#pragma unroll
      for (int e = 0; e < width; ++e)
        memory[(j + e) * left_pitch + i] = of_a.loaded[v].elements[e];
    });
    of_b.for_each([&](int v, int i, int j) {
      const auto& b = of_b.loaded[v].elements;
      *reinterpret_cast<float4*>(&memory[left_size + i * TILE_N + j]) =
          make_float4(b[0], b[1], b[2], b[3]);
    });
  }
  // `row` and `column` are those of this thread's first block; the others lie as far apart as the
  // blocks of all threads reach.
  __device__ void multiply(float (&sums)[MICRO][MICRO], int row, int column) const {
#pragma unroll 8
    for (int q = 0; q < TILE_K; ++q) {
      tunecheck::Vector<float, width> of_a[blocks];
      tunecheck::Vector<float, width> of_b[blocks];
#pragma unroll
      for (int g = 0; g < blocks; ++g) {
        of_a[g] = tunecheck::take<width>(&memory[q * left_pitch + g * down * width + row]);
        of_b[g] =
            tunecheck::take<width>(&memory[left_size + q * TILE_N + g * across * width + column]);
      }
#pragma unroll
      for (int r = 0; r < MICRO; ++r)
#pragma unroll
        for (int s = 0; s < MICRO; ++s)
          sums[r][s] += of_a[r / width].elements[r % width] * of_b[s / width].elements[s % width];
    }
  }
};

// Two of them where there is room, so that a step needs one barrier.
constexpr int buffers = vectors_fit && 2 * Tiles::size <= 11264 ? 2 : 1;
constexpr int apart_size = TILE_M * (TILE_K + 1) + TILE_K * (TILE_N + 1);
constexpr int memory_size =
    vectors_fit && buffers * Tiles::size > apart_size ? buffers* Tiles::size : apart_size;

__device__ void multiply_in_vectors(const tunecheck::Tensor<A_TYPE>& a,
                                    const tunecheck::Tensor<B_TYPE>& b,
                                    const tunecheck::Tensor<C_TYPE>& c, float alpha, float beta,
                                    int64_t first_row, int64_t first_column, float* memory) {
  const int row = static_cast<int>(threadIdx.x) / across * width;
  const int column = static_cast<int>(threadIdx.x) % across * width;
  const int64_t k = a.size(1);
  // Of this thread's row `r` and block `g`.
  const auto row_of_c = [&](int r, int g) {
    const int64_t i = first_row + r / width * down * width + row + r % width;
    return tunecheck::Row<C_TYPE>{&c(i, first_column + g * across * width + column), 1};
  };
#pragma unroll
  for (int r = 0; r < MICRO; ++r)
#pragma unroll
    for (int g = 0; g < blocks; ++g)
      row_of_c(r, g).prefetch(0);  // it is needed when everything is multiplied
  float sums[MICRO][MICRO] = {};
  OfA of_a(a, first_row, 0, TILE_K);
  OfB of_b(b, 0, first_column, TILE_K * b.stride(0));
  of_a.load();
  of_b.load();
  // What comes from memory needs longer than a tile takes: it begins to come to the cache earlier.
  constexpr int ahead = 128 / TILE_K;  // tiles
#pragma unroll
  for (int tiles = 0; tiles < ahead; ++tiles)
    if ((tiles + 1) * TILE_K < k) {
      of_a.prefetch(tiles);
      of_b.prefetch(tiles);
    }
  int buffer = 0;
#pragma unroll 1
  for (int64_t p = 0; p < k; p += TILE_K) {
    const Tiles tiles{memory + buffer * Tiles::size};
    if (buffers == 1 && p > 0) __syncthreads();  // the tiles before may still be read
    tiles.put(of_a, of_b);
    __syncthreads();
    if (p + TILE_K < k) {
      if (p + (ahead + 1) * TILE_K < k) {
        of_a.prefetch(ahead);
        of_b.prefetch(ahead);
      }
      of_a.load();
      of_b.load();
    }
    tiles.multiply(sums, row, column);
    if (buffers == 2) buffer = 1 - buffer;
  }
  // Some rows of C at a time: all of them would take more registers than the sums.
  constexpr int at_once = MICRO < 4 ? MICRO : 4;
#pragma unroll
  for (int first = 0; first < MICRO; first += at_once) {
    tunecheck::Vector<C_TYPE, width> results[at_once][blocks];
#pragma unroll
    for (int r = 0; r < at_once; ++r)
#pragma unroll
      for (int g = 0; g < blocks; ++g)
        results[r][g] = row_of_c(first + r, g).load<width>(0);
#pragma unroll
    for (int r = 0; r < at_once; ++r)
#pragma unroll
      for (int g = 0; g < blocks; ++g) {
#pragma unroll
        for (int e = 0; e < width; ++e)
          results[r][g].elements[e] = alpha * sums[first + r][g * width + e] +
                                      beta * static_cast<float>(results[r][g].elements[e]);
        row_of_c(first + r, g).store<width>(0, results[r][g]);
      }
  }
}

// Two blocks of the largest tiles on a multiprocessor, as long as what a thread moves leaves the
// registers for that: one does not keep it busy.
constexpr int together = MICRO == 8 && threads == 256 && TILE_K == 8 ? 2 : 1;

}  // namespace

extern "C" __global__ void __launch_bounds__(threads, together)
    gemm_beta(tunecheck::Tensor<A_TYPE> a, tunecheck::Tensor<B_TYPE> b, tunecheck::Tensor<C_TYPE> c,
              float alpha, float beta) {
  alignas(16) __shared__ float memory[memory_size];
  const int64_t tiles_across = (c.size(1) + TILE_N - 1) / TILE_N;
  const int64_t first_row = blockIdx.x / tiles_across * TILE_M;
  const int64_t first_column = blockIdx.x % tiles_across * TILE_N;
  if constexpr (vectors_fit) {
    const bool whole = first_row + TILE_M <= c.size(0) && first_column + TILE_N <= c.size(1) &&
                       a.size(1) > 0 && a.size(1) % TILE_K == 0;
    if (whole && tunecheck::rows_have_vectors<width>(a) && tunecheck::rows_have_vectors<width>(b) &&
        tunecheck::rows_have_vectors<width>(c)) {
      multiply_in_vectors(a, b, c, alpha, beta, first_row, first_column, memory);
      return;
    }
  }
  // One column more than needed: the elements of a column then lie in different banks.
  float* const left = memory;
  float* const right = memory + TILE_M * (TILE_K + 1);
  const int x = threadIdx.x % across;
  const int y = threadIdx.x / across;

  float sums[MICRO][MICRO] = {};
  for (int64_t p = 0; p < a.size(1); p += TILE_K) {
    tunecheck::load_tile<threads, TILE_M, TILE_K, TILE_K + 1>(left, a, first_row, c.size(0), p,
                                                              a.size(1));
    tunecheck::load_tile<threads, TILE_K, TILE_N, TILE_N + 1>(right, b, p, a.size(1), first_column,
                                                              c.size(1));
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
