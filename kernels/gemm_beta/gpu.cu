// One block a tile of TILE_M x TILE_N elements of C. TILE_K columns of A and as many rows of B pass
// through shared memory at a time; each thread sums MICRO x 4 elements in registers. Groups of
// threads have the whole tile each, and a share of those columns: their sums are added in the
// groups' order. Where all rows are dense and aligned, the tiles are whole, and shared memory holds
// two parts of k, the next part is on its way there meanwhile, and vectors are read from it. Else a
// thread's elements lie apart, so that neighbouring threads have neighbouring columns.
#include <tunecheck/gpu_tiles.h>

namespace {

constexpr int width = 4;  // of a vector
constexpr int height = MICRO;
constexpr int across = TILE_N / width;  // threads
constexpr int down = TILE_M / height;
constexpr int in_group = across * down;
__device__ constexpr int at_most(int limit, int number) {
  return number < limit ? number : limit;
}
constexpr int room = at_most(TILE_K / width, at_most(4, 256 / in_group));
constexpr int groups = room > 1 ? room : 1;
constexpr int threads = groups * in_group;
constexpr int rows_each = height / groups;  // of a thread, in the end

// A part of k, in shared memory as it is in the device's.
struct Part {
  static constexpr int depth = TILE_K;
  // Rows that neighbouring threads read begin in different banks.
  static constexpr int left_pitch = depth + width;
  alignas(16) A_TYPE left[TILE_M * left_pitch];
  alignas(16) B_TYPE right[depth * TILE_N];

  // `row` is the thread's first, the others are each `down` further on.
  __device__ void multiply(float (&sums)[height][width], int row, int column, int first) const {
#pragma unroll
    for (int of_group = 0; of_group < depth / groups; of_group += width) {
      const int p = first + of_group;
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

// As many parts as fit, up to 5; 2 where none can be on its way.
constexpr int parts_that_fit = 49152 / static_cast<int>(sizeof(Part));
constexpr int parts = at_most(tunecheck::has_copies_ahead ? 5 : 2, parts_that_fit);
constexpr bool vectors_fit = parts > 1;

union Memory {
  Part parts_of_k[parts];
  float4 sums[groups > 1 ? groups : 1][groups > 1 ? height : 1][in_group];
  // One column more than needed: the elements of a column then lie in different banks.
  struct {
    float left[TILE_M * (TILE_K + 1)];
    float right[TILE_K * (TILE_N + 1)];
  } apart;
};

// `ring` is `parts`; where vectors do not fit, this is no code.
template <int ring>
__device__ void multiply_in_vectors(const tunecheck::Tensor<A_TYPE>& a,
                                    const tunecheck::Tensor<B_TYPE>& b,
                                    const tunecheck::Tensor<C_TYPE>& c, float alpha, float beta,
                                    int64_t first_row, int64_t first_column, Memory& memory) {
  tunecheck::TileVectors<A_TYPE, threads, TILE_M, Part::depth> of_a(a, first_row, 0, Part::depth);
  tunecheck::TileVectors<B_TYPE, threads, Part::depth, TILE_N> of_b(b, 0, first_column,
                                                                    Part::depth * b.stride(0));
  const int count = static_cast<int>(a.size(1) / TILE_K);
  const auto copy = [&](int number, Part& to) {
    if (number < count) {
      of_a.copy<Part::left_pitch>(to.left);
      of_b.copy<TILE_N>(to.right);
    }
    tunecheck::end_group_of_copies();
  };
#pragma unroll
  for (int number = 0; number < ring - 1; ++number)
    copy(number, memory.parts_of_k[number]);

  // 32 neighbouring threads have 4 x 8 blocks of C: that needs the fewest vectors of A and B.
  // Neighbours in pairs have one block of B, and every second one has the same of A.
  constexpr int lanes_down = down < 4 ? down : 4;
  constexpr int lanes_across = 32 / lanes_down;
  const int group = static_cast<int>(threadIdx.x) / in_group;
  const int thread = static_cast<int>(threadIdx.x) % in_group;
  const int lane = thread % 32;
  const int warp = thread / 32;
  const int row =
      warp / (across / lanes_across) * lanes_down + lane % 2 + lane / (2 * lanes_across) * 2;
  const int column =
      (warp % (across / lanes_across) * lanes_across + lane / 2 % lanes_across) * width;
  const auto row_of_c = [&](int r) {
    return tunecheck::Row<C_TYPE>{
        &c(first_row + row + (group * rows_each + r) * down, first_column + column), 1};
  };
  // It is needed when everything is multiplied.
#pragma unroll
  for (int r = 0; r < rows_each; ++r)
    row_of_c(r).prefetch(0);

  float sums[height][width] = {};
  int multiplied = 0;  // of the parts in memory, the one that comes next
#pragma unroll 1
  for (int number = 0; number < count; ++number) {
    tunecheck::wait_for_groups<ring - 2>();
    __syncthreads();  // all have theirs, and nobody reads the part before any more
    copy(number + ring - 1, memory.parts_of_k[multiplied == 0 ? ring - 1 : multiplied - 1]);
    memory.parts_of_k[multiplied].multiply(sums, row, column, group * TILE_K / groups);
    multiplied = multiplied == ring - 1 ? 0 : multiplied + 1;
  }

  tunecheck::Vector<C_TYPE, width> results[rows_each];
#pragma unroll
  for (int r = 0; r < rows_each; ++r)
    results[r] = row_of_c(r).template load<width>(0);
  if constexpr (groups > 1) {
    __syncthreads();  // the last part may still be read
#pragma unroll
    for (int r = 0; r < height; ++r)
      memory.sums[group][r][thread] = make_float4(sums[r][0], sums[r][1], sums[r][2], sums[r][3]);
    __syncthreads();
#pragma unroll
    for (int r = 0; r < rows_each; ++r) {
#pragma unroll
      for (int s = 0; s < width; ++s)
        sums[r][s] = 0;
#pragma unroll
      for (int g = 0; g < groups; ++g) {
        const float4 four = memory.sums[g][group * rows_each + r][thread];
        sums[r][0] += four.x;
        sums[r][1] += four.y;
        sums[r][2] += four.z;
        sums[r][3] += four.w;
      }
    }
  }
#pragma unroll
  for (int r = 0; r < rows_each; ++r) {
#pragma unroll
    for (int s = 0; s < width; ++s)
      results[r].elements[s] =
          alpha * sums[r][s] + beta * static_cast<float>(results[r].elements[s]);
    row_of_c(r).template store<width>(0, results[r]);
  }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(threads)
    gemm_beta(tunecheck::Tensor<A_TYPE> a, tunecheck::Tensor<B_TYPE> b, tunecheck::Tensor<C_TYPE> c,
              float alpha, float beta) {
  __shared__ Memory memory;
  const int64_t m = c.size(0);
  const int64_t n = c.size(1);
  const int64_t k = a.size(1);
  const auto tiles_across = static_cast<unsigned>((n + TILE_N - 1) / TILE_N);
  const int64_t first_row = static_cast<int64_t>(blockIdx.x / tiles_across) * TILE_M;
  const int64_t first_column = static_cast<int64_t>(blockIdx.x % tiles_across) * TILE_N;
  const bool whole =
      first_row + TILE_M <= m && first_column + TILE_N <= n && k > 0 && k % TILE_K == 0;
  if constexpr (vectors_fit) {
    if (whole && tunecheck::rows_have_vectors<width>(a) && tunecheck::rows_have_vectors<width>(b) &&
        tunecheck::rows_have_vectors<width>(c)) {
      multiply_in_vectors<parts>(a, b, c, alpha, beta, first_row, first_column, memory);
      return;
    }
  }
  auto& [left, right] = memory.apart;
  constexpr int apart_down = down * groups;
  const int x = threadIdx.x % across;
  const int y = threadIdx.x / across;

  float sums[rows_each][width] = {};
  for (int64_t p = 0; p < k; p += TILE_K) {
    tunecheck::load_tile<threads, TILE_M, TILE_K, TILE_K + 1>(left, a, first_row, m, p, k);
    tunecheck::load_tile<threads, TILE_K, TILE_N, TILE_N + 1>(right, b, p, k, first_column, n);
    __syncthreads();
#pragma unroll 8
    for (int q = 0; q < TILE_K; ++q) {
      float of_a[rows_each];
      float of_b[width];
#pragma unroll
      for (int r = 0; r < rows_each; ++r)
        of_a[r] = left[(y + r * apart_down) * (TILE_K + 1) + q];
#pragma unroll
      for (int s = 0; s < width; ++s)
        of_b[s] = right[q * (TILE_N + 1) + x + s * across];
#pragma unroll
      for (int r = 0; r < rows_each; ++r)
#pragma unroll
        for (int s = 0; s < width; ++s)
          sums[r][s] += of_a[r] * of_b[s];
    }
    __syncthreads();  // the next tiles go where these are read
  }

#pragma unroll
  for (int r = 0; r < rows_each; ++r)
#pragma unroll
    for (int s = 0; s < width; ++s) {
      const int64_t i = first_row + y + r * apart_down;
      const int64_t j = first_column + x + s * across;
      if (i < m && j < n) c(i, j) = alpha * sums[r][s] + beta * static_cast<float>(c(i, j));
    }
}
