// y = factor * y. BLOCK elements are a step of the outer loop; VEC of them are in registers at a
// time.
// DECIDE: BLOCK, VEC and Y_TYPE are macros that each config sets; a number in their place is a
// parameter that tunes nothing.
#include <tunecheck/cpu_kernel.h>

void my_kernel(tunecheck::Tensor<Y_TYPE> y, float factor) {
  const int64_t n = y.size(0);
  int64_t i = 0;
  // DECIDE: a fast path must ask for its strides; views of the caller may have any.
  if (y.stride(0) == 1) {
    for (; i + BLOCK <= n; i += BLOCK)
      for (Y_TYPE* at = y.data() + i; at < y.data() + i + BLOCK; at += VEC) {
        Y_TYPE part[VEC];
        for (int v = 0; v < VEC; ++v)
          part[v] = factor * at[v];
        __builtin_memcpy(at, part, sizeof part);
        // Keeps the compiler from joining the parts: the config decides their size.
        asm volatile("" ::: "memory");
      }
  }
  // DECIDE: the remainder, down to a tensor without elements; a forgotten end shows at size odd.
  for (; i < n; ++i)
    y(i) = factor * y(i);
}
TUNECHECK_KERNEL(my_kernel)
