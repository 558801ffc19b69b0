// One explicit time step of heat in a plate whose edges are insulated. A block takes TILE columns
// and, with each of its threads, TOGETHER rows below each other, whose values pass through
// registers.
//
// Where `next` is the memory of `field`, all of an element's neighbours must be read before it is
// written, in whatever order blocks run. One block alone then follows the plate along its longer
// side, line by line, and keeps the old values of the line behind in registers.
#include <tunecheck/gpu_kernel.h>

namespace {

constexpr int threads = 1024;
constexpr int wide = TILE < threads ? TILE : threads;
constexpr int high = threads / wide;

__device__ float stepped(float here, float above, float below, float left, float right,
                         float rate) {
  return here + rate * ((above + below) + (left + right) - 4 * here);
}

__device__ void step_tile(const tunecheck::Tensor<FIELD_TYPE>& field,
                          const tunecheck::Tensor<NEXT_TYPE>& next, float rate) {
  const int64_t rows = field.size(0), cols = field.size(1);
  const int64_t tiles = (cols + TILE - 1) / TILE;
  const int64_t first_row =
      (blockIdx.x / tiles * high + static_cast<int>(threadIdx.x) / wide) * TOGETHER;
  const int64_t first_col = blockIdx.x % tiles * TILE + static_cast<int>(threadIdx.x) % wide;
  if (first_row >= rows) return;
  for (int j = 0; j < TILE; j += wide) {
    const int64_t c = first_col + j;
    if (c >= cols) return;
    float above = field(first_row > 0 ? first_row - 1 : 0, c);
    float here = field(first_row, c);
#pragma unroll
    for (int k = 0; k < TOGETHER; ++k) {
      const int64_t r = first_row + k;
      if (r < rows) {
        const float below = r + 1 < rows ? static_cast<float>(field(r + 1, c)) : here;
        const float left = c > 0 ? static_cast<float>(field(r, c - 1)) : here;
        const float right = c + 1 < cols ? static_cast<float>(field(r, c + 1)) : here;
        next(r, c) = stepped(here, above, below, left, right, rate);
        above = here;
        here = below;
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
// threads together cannot be stepped in place.
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
#pragma unroll
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
#pragma unroll
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
    step_tile(field, next, rate);
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
