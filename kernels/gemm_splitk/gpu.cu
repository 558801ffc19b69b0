// One block for each tile of TILE_M x TILE_N elements of C and each of SPLIT_K slices of k: it adds
// the product of its slice to C atomically, in whatever order the blocks end. A thread sums 8 x 4
// elements in registers. Where all rows are dense and aligned and the tiles whole, the next parts
// of the slice are on their way to shared memory while one is multiplied, and what is read there
// and added to C are vectors. Else a thread's elements lie apart, so that neighbouring threads have
// neighbouring columns.
#include <tunecheck/gpu_tiles.h>

namespace {

constexpr int width = 4;  // of a vector
constexpr int height = 8;
constexpr int across = TILE_N / width;  // threads
constexpr int down = TILE_M / height;
constexpr int threads = across * down;

// A part of the slice, in shared memory as it is in the device's.
struct Part {
  static constexpr int depth = 16;  // of k
  // Rows that neighbouring threads read begin in different banks.
  static constexpr int left_pitch = depth + width;
  alignas(16) A_TYPE left[TILE_M * left_pitch];
  alignas(16) B_TYPE right[depth * TILE_N];

  // `row` is the thread's first, the others are each `down` further on.
  __device__ void multiply(float (&sums)[height][width], int row, int column) const {
#pragma unroll
    for (int p = 0; p < depth; p += width) {
      tunecheck::Vector<A_TYPE, width> of_a[height];
      tunecheck::Vector<B_TYPE, width> of_b[width];
#pragma unroll
      for (int r = 0; r < height; ++r)
        of_a[r] = tunecheck::take<width>(&left[(row + r * down) * left_pitch + p]);
#pragma unroll
      for (int q = 0; q < width; ++q)
        of_b[q] = tunecheck::take<width>(&right[(p + q) * TILE_N + column]);
#pragma unroll
      for (int q = 0; q < width; ++q)
#pragma unroll
        for (int r = 0; r < height; ++r)
#pragma unroll
          for (int s = 0; s < width; ++s)
            sums[r][s] +=
                static_cast<float>(of_a[r].elements[q]) * static_cast<float>(of_b[q].elements[s]);
    }
  }
};

constexpr int depth = 32;  // of k, in shared memory at a time where elements lie apart

// As many parts as fit, up to 5; 2 where none can be on its way.
constexpr int parts_that_fit = 49152 / static_cast<int>(sizeof(Part));
constexpr int most_parts = tunecheck::has_copies_ahead ? 5 : 2;
constexpr int parts = parts_that_fit < most_parts ? parts_that_fit : most_parts;

union Memory {
  Part parts_of_slice[parts];
  // One column more than needed: the elements of a column then lie in different banks.
  struct {
    float left[TILE_M * (depth + 1)];
    float right[depth * (TILE_N + 1)];
  } apart;
};

// This block's part of C and of k.
struct Work {
  int64_t first_row, first_column;
  int64_t begin, end;
};

__device__ void multiply_in_vectors(const tunecheck::Tensor<A_TYPE>& a,
                                    const tunecheck::Tensor<B_TYPE>& b,
                                    const tunecheck::Tensor<C_TYPE>& c, const Work& work,
                                    Part* memory) {
  tunecheck::TileVectors<A_TYPE, threads, TILE_M, Part::depth> of_a(a, work.first_row, work.begin,
                                                                    Part::depth);
  tunecheck::TileVectors<B_TYPE, threads, Part::depth, TILE_N> of_b(
      b, work.begin, work.first_column, Part::depth * b.stride(0));
  const int count = static_cast<int>((work.end - work.begin) / Part::depth);
  const auto copy = [&](int number, Part& to) {
    if (number < count) {
      of_a.copy<Part::left_pitch>(to.left);
      of_b.copy<TILE_N>(to.right);
    }
    tunecheck::end_group_of_copies();
  };
#pragma unroll
  for (int number = 0; number < parts - 1; ++number)
    copy(number, memory[number]);

  // 32 neighbouring threads have 4 x 8 blocks of C, or 2 x 16: that needs the fewest vectors of A
  // and B. Neighbours in pairs have one block of B, and every second one has the same of A.
  constexpr int lanes_down = down < 4 ? down : 4;
  constexpr int lanes_across = 32 / lanes_down;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int row =
      warp / (across / lanes_across) * lanes_down + lane % 2 + lane / (2 * lanes_across) * 2;
  const int column =
      (warp % (across / lanes_across) * lanes_across + lane / 2 % lanes_across) * width;
  const auto row_of_c = [&](int r) {
    return tunecheck::Row<C_TYPE>{&c(work.first_row + row + r * down, work.first_column + column),
                                  1};
  };
  // It is needed when everything is multiplied; one of the blocks that add to it asks for it.
  if (work.begin == 0)
#pragma unroll
    for (int r = 0; r < height; ++r)
      row_of_c(r).prefetch(0);

  float sums[height][width] = {};
  int multiplied = 0;  // of the parts in memory, the one that comes next
#pragma unroll 1
  for (int number = 0; number < count; ++number) {
    tunecheck::wait_for_groups<parts - 2>();
    __syncthreads();  // all have theirs, and nobody reads the part before any more
    copy(number + parts - 1, memory[multiplied == 0 ? parts - 1 : multiplied - 1]);
    memory[multiplied].multiply(sums, row, column);
    multiplied = multiplied == parts - 1 ? 0 : multiplied + 1;
  }

#pragma unroll
  for (int r = 0; r < height; ++r)
    if constexpr (SPLIT_K == 1) {
      auto four = row_of_c(r).load<width>(0);  // no other block has these elements
#pragma unroll
      for (int s = 0; s < width; ++s)
        four.elements[s] += sums[r][s];
      row_of_c(r).store<width>(0, four);
    } else {
      tunecheck::atomic_add_row<width>(row_of_c(r).data, sums[r]);
    }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(threads)
    gemm_splitk(tunecheck::Tensor<A_TYPE> a, tunecheck::Tensor<B_TYPE> b,
                tunecheck::Tensor<C_TYPE> c) {
  __shared__ Memory memory;
  const int64_t m = c.size(0);
  const int64_t n = c.size(1);
  const int64_t k = a.size(1);
  const int64_t slice = (k + SPLIT_K - 1) / SPLIT_K;
  const int64_t begin = blockIdx.x % SPLIT_K * slice;
  const int64_t end = begin + slice < k ? begin + slice : k;
  if (begin >= end) return;  // the whole block: fewer elements than slices
  const unsigned tile = blockIdx.x / SPLIT_K;
  const auto tiles_across = static_cast<unsigned>((n + TILE_N - 1) / TILE_N);
  const int64_t first_row = static_cast<int64_t>(tile / tiles_across) * TILE_M;
  const int64_t first_column = static_cast<int64_t>(tile % tiles_across) * TILE_N;

  const bool whole = first_row + TILE_M <= m && first_column + TILE_N <= n &&
                     slice % Part::depth == 0 && (end - begin) % Part::depth == 0;
  if (whole && tunecheck::rows_have_vectors<width>(a) && tunecheck::rows_have_vectors<width>(b) &&
      tunecheck::rows_have_vectors<width>(c)) {
    multiply_in_vectors(a, b, c, {first_row, first_column, begin, end}, memory.parts_of_slice);
    return;
  }
  auto& [left, right] = memory.apart;
  const int x = threadIdx.x % across;
  const int y = threadIdx.x / across;

  float sums[height][width] = {};
  for (int64_t p = begin; p < end; p += depth) {
    tunecheck::load_tile<threads, TILE_M, depth, depth + 1>(left, a, first_row, m, p, end);
    tunecheck::load_tile<threads, depth, TILE_N, TILE_N + 1>(right, b, p, end, first_column, n);
    __syncthreads();
#pragma unroll 8
    for (int q = 0; q < depth; ++q) {
      float of_a[height];
      float of_b[width];
#pragma unroll
      for (int r = 0; r < height; ++r)
        of_a[r] = left[(y + r * down) * (depth + 1) + q];
#pragma unroll
      for (int s = 0; s < width; ++s)
        of_b[s] = right[q * (TILE_N + 1) + x + s * across];
#pragma unroll
      for (int r = 0; r < height; ++r)
#pragma unroll
        for (int s = 0; s < width; ++s)
          sums[r][s] += of_a[r] * of_b[s];
    }
    __syncthreads();  // the next tiles go where these are read
  }

#pragma unroll
  for (int r = 0; r < height; ++r)
#pragma unroll
    for (int s = 0; s < width; ++s) {
      const int64_t i = first_row + y + r * down;
      const int64_t j = first_column + x + s * across;
      if (i >= m || j >= n) continue;
      if (SPLIT_K == 1)
        c(i, j) += sums[r][s];  // no other block has this element
      else
        atomicAdd(&c(i, j), sums[r][s]);
    }
}
