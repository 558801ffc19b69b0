// out = x with each row multiplied by its element of scale. BLOCK columns are a step of the loop;
// VEC of them are in registers at a time.
// DECIDE: BLOCK, VEC and the types are macros that each config sets; a number in their place is a
// parameter that tunes nothing.
#include <tunecheck/cpu_kernel.h>

void my_kernel(tunecheck::Tensor<X_TYPE> x, tunecheck::Tensor<SCALE_TYPE> scale,
               tunecheck::Tensor<OUT_TYPE> out) {
  const int64_t rows = x.size(0), cols = x.size(1);
  // DECIDE: a fast path must ask for its strides; views of the caller may have any.
  const bool side_by_side = x.stride(1) == 1 && out.stride(1) == 1;
  for (int64_t r = 0; r < rows; ++r) {
    const float factor = scale(r);
    const X_TYPE* const from = &x(r, 0);
    OUT_TYPE* const to = &out(r, 0);
    int64_t c = 0;
    for (; side_by_side && c + BLOCK <= cols; c += BLOCK)
      for (int64_t b = c; b < c + BLOCK; b += VEC) {
        OUT_TYPE part[VEC];
        for (int v = 0; v < VEC; ++v)
          part[v] = factor * from[b + v];
        __builtin_memcpy(to + b, part, sizeof part);
        // Keeps the compiler from joining the parts: the config decides their size.
        asm volatile("" ::: "memory");
      }
    // DECIDE: the remainder, down to a tensor without elements; a forgotten end shows at size odd.
    for (; c < cols; ++c)
      out(r, c) = factor * x(r, c);
  }
}
TUNECHECK_KERNEL(my_kernel)
