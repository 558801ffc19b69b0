// sums += the sums of the columns of x. TILE_COLS columns are summed at a time, TILE_ROWS rows in a
// step.
// DECIDE: TILE_COLS, TILE_ROWS and X_TYPE are macros that each config sets; a number in their place
// is a parameter that tunes nothing.
#include <tunecheck/cpu_kernel.h>

namespace {

// Adds `rows` rows from `first` on to the sums of `cols` columns; `step` is from column to column.
inline void add_rows(const X_TYPE* first, int64_t row_stride, int64_t step, int rows, int64_t cols,
                     float* sum) {
  for (int64_t c = 0; c < cols; ++c) {
    float added = 0;
    for (int r = 0; r < rows; ++r)
      added += first[r * row_stride + c * step];
    sum[c] += added;
  }
}

}  // namespace

void my_kernel(tunecheck::Tensor<X_TYPE> x, tunecheck::Tensor<SUMS_TYPE> sums) {
  const int64_t rows = x.size(0), cols = x.size(1);
  for (int64_t c = 0; c < cols; c += TILE_COLS) {
    float sum[TILE_COLS] = {};
    int64_t r = 0;
    // DECIDE: a fast path must ask for its strides; views of the caller may have any.
    if (x.stride(1) == 1 && c + TILE_COLS <= cols)
      for (; r + TILE_ROWS <= rows; r += TILE_ROWS)
        add_rows(&x(r, c), x.stride(0), 1, TILE_ROWS, TILE_COLS, sum);
    // DECIDE: the remainder, down to a tensor without elements; a forgotten end shows at size odd.
    const int64_t width = c + TILE_COLS <= cols ? TILE_COLS : cols - c;
    for (; r < rows; ++r)
      add_rows(&x(r, c), x.stride(0), x.stride(1), 1, width, sum);
    for (int64_t k = 0; k < width; ++k)
      sums(c + k) += sum[k];
  }
}
TUNECHECK_KERNEL(my_kernel)
