// One explicit time step of heat in a plate whose edges are insulated. A block takes TILE columns
// and, with each of its threads, TOGETHER rows below each other, whose values pass through
// registers: four neighbouring columns of a thread where the rows are dense and aligned, else one.
//
// Where `next` is the memory of `field`, all of an element's neighbours must be read before it is
// written, in whatever order blocks run. One block alone then follows the plate along its longer
// side, line by line, and keeps the old values of the line behind in registers.
#include <tunecheck/gpu_rows.h>

namespace {

constexpr int threads = 1024;
constexpr int wide = TILE < threads ? TILE : threads;
constexpr int high = threads / wide;
constexpr int groups = 4 * high;  // of TOGETHER rows, in a block

__device__ float stepped(float here, float above, float below, float left, float right,
                         float rate) {
  return here + rate * ((above + below) + (left + right) - 4 * here);
}

constexpr int vector_width = tunecheck::vector_width_of<4, FIELD_TYPE, NEXT_TYPE>();

// The block's rows and columns, `width` columns and TOGETHER rows of a thread at a time. All that a
// thread reads is asked for before the first is used.
template <int width>
__device__ void step_tile(const tunecheck::Tensor<FIELD_TYPE>& field,
                          const tunecheck::Tensor<NEXT_TYPE>& next, float rate) {
  using Values = tunecheck::Vector<FIELD_TYPE, width>;
  constexpr int across = wide / width;  // threads
  constexpr int down = threads / across;
  const int64_t rows = field.size(0), cols = field.size(1);
  const int64_t tiles = (cols + TILE - 1) / TILE;
  const int64_t tile_row = blockIdx.x / tiles * (groups * TOGETHER);
  const int64_t tile_col = blockIdx.x % tiles * TILE;
  const int thread = static_cast<int>(threadIdx.x);
  const auto row_of = [&](int64_t r) {
    return tunecheck::Row<FIELD_TYPE>{&field(r, 0), field.stride(1)};
  };
#pragma unroll 1
  for (int number = thread / across; number < groups; number += down) {
    const int64_t first_row = tile_row + number * TOGETHER;
    if (first_row >= rows) return;
#pragma unroll 1
    for (int j = 0; j < TILE; j += wide) {
      const int64_t at = tile_col + j + thread % across * width;
      if (at >= cols) break;
      const int c = static_cast<int>(at);
      Values lines[TOGETHER + 2];  // one above, one below
      float left[TOGETHER], right[TOGETHER];
#pragma unroll
      for (int k = 0; k < TOGETHER + 2; ++k) {
        const int64_t r = first_row + k - 1;
        const int64_t inside = r < 0 ? 0 : r < rows ? r : rows - 1;  // an edge is its own neighbour
        lines[k] = row_of(inside).template load<width>(c);
      }
#pragma unroll
      for (int k = 0; k < TOGETHER; ++k) {
        const int64_t r = first_row + k < rows ? first_row + k : rows - 1;
        left[k] = field(r, c > 0 ? c - 1 : 0);
        right[k] = field(r, c + width < cols ? c + width : cols - 1);
      }
#pragma unroll
      for (int k = 0; k < TOGETHER; ++k) {
        if (first_row + k >= rows) break;
        const auto value = [&](int line, int e) {
          return static_cast<float>(lines[k + line].elements[e]);
        };
        tunecheck::Vector<NEXT_TYPE, width> result;
#pragma unroll
        for (int e = 0; e < width; ++e)
          result.elements[e] =
              stepped(value(1, e), value(0, e), value(2, e), e > 0 ? value(1, e - 1) : left[k],
                      e + 1 < width ? value(1, e + 1) : right[k], rate);
        tunecheck::Row<NEXT_TYPE>{&next(first_row + k, 0), next.stride(1)}.template store<width>(
            c, result);
      }
    }
  }
}

__device__ void stop() {
#if defined(__HIP__) || defined(__HIPCC_RTC__)
  __builtin_trap();
#else
  __trap();
#endif
}

// Elements of a line that one thread keeps; a plate whose shorter side is longer than that of all
// threads together cannot be stepped in place. Loops over them are not unrolled: in registers, they
// would leave too few to the tiles.
constexpr int kept = 16;

// `across` is the length of a line. Lines lie behind each other; the step is the same whichever
// side of the plate they follow.
__device__ void step_lines(FIELD_TYPE* field, NEXT_TYPE* next, int64_t lines, int64_t line_step,
                           int64_t across, int64_t step, float rate) {
  const int64_t thread = threadIdx.x;
  float behind[kept];
  for (int64_t line = 0; line < lines; ++line) {
    const FIELD_TYPE* const from = field + line * line_step;
    NEXT_TYPE* const to = next + line * line_step;
    float result[kept];
#pragma unroll 1
    for (int k = 0; k < kept; ++k) {
      const int64_t i = thread + k * threads;
      if (i < across) {
        const float here = from[i * step];
        const float before = line > 0 ? behind[k] : here;
        const float after =
            line + 1 < lines ? static_cast<float>(from[line_step + i * step]) : here;
        const float left = i > 0 ? static_cast<float>(from[(i - 1) * step]) : here;
        const float right = i + 1 < across ? static_cast<float>(from[(i + 1) * step]) : here;
        result[k] = stepped(here, before, after, left, right, rate);
        behind[k] = here;
      }
    }
    __syncthreads();  // nobody reads this line any more
#pragma unroll 1
    for (int k = 0; k < kept; ++k) {
      const int64_t i = thread + k * threads;
      if (i < across) to[i * step] = result[k];
    }
  }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(threads)
    stencil_pingpong(tunecheck::Tensor<FIELD_TYPE> field, tunecheck::Tensor<NEXT_TYPE> next,
                     float rate) {
  if (static_cast<const void*>(field.data()) != next.data()) {
    if (field.size(1) % vector_width == 0 && tunecheck::rows_have_vectors<vector_width>(field) &&
        tunecheck::rows_have_vectors<vector_width>(next))
      step_tile<vector_width>(field, next, rate);
    else
      step_tile<1>(field, next, rate);
    return;
  }
  if (blockIdx.x != 0) return;
  const int64_t rows = field.size(0), cols = field.size(1);
  if ((rows < cols ? rows : cols) > static_cast<int64_t>(kept) * threads) stop();
  if (cols <= rows)
    step_lines(field.data(), next.data(), rows, field.stride(0), cols, field.stride(1), rate);
  else
    step_lines(field.data(), next.data(), cols, field.stride(1), rows, field.stride(0), rate);
}
