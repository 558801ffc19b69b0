// Turns the pairs (x[d], x[d + half]) of each head by the angle of the token, TOGETHER heads at a
// time: cos and sin of VEC pairs are loaded once for all of them.
#include <tunecheck/cpu_kernel.h>

namespace {

// `count` pairs side by side of `heads` heads. All loads of a step come before its stores: the
// compiler need not know that the two halves of a head are apart.
template <int count, int heads>
void turn_side_by_side(X_TYPE* x, int64_t next_head, int64_t half, const float* cos,
                       const float* sin) {
  float c[count], s[count];
  __builtin_memcpy(c, cos, sizeof c);
  __builtin_memcpy(s, sin, sizeof s);
  for (int h = 0; h < heads; ++h, x += next_head) {
    X_TYPE first[count], second[count];
    for (int i = 0; i < count; ++i) {
      const float a = x[i];
      const float b = x[half + i];
      first[i] = static_cast<X_TYPE>(a * c[i] - b * s[i]);
      second[i] = static_cast<X_TYPE>(b * c[i] + a * s[i]);
    }
    __builtin_memcpy(x, first, sizeof first);
    __builtin_memcpy(x + half, second, sizeof second);
  }
  // Keeps the steps apart: how many pairs are in registers at a time is for the config to say.
  asm volatile("" ::: "memory");
}

template <int heads>
void turn_heads(X_TYPE* x, int64_t next_head, int64_t half, const float* cos, const float* sin) {
  int64_t d = 0;
  for (; d + VEC <= half; d += VEC)
    turn_side_by_side<VEC, heads>(x + d, next_head, half, cos + d, sin + d);
  for (; d < half; ++d)
    turn_side_by_side<1, heads>(x + d, next_head, half, cos + d, sin + d);
}

}  // namespace

void rope_inplace(tunecheck::Tensor<X_TYPE> x, tunecheck::Tensor<COS_TYPE> cos,
                  tunecheck::Tensor<SIN_TYPE> sin) {
  const int64_t heads = x.size(1);
  const int64_t half = cos.size(1);
  // How wide the widest step is, is left to the compiler.
  const bool is_left_to_compiler = TOGETHER == 1 && VEC == 16;
  const bool unit =
      !is_left_to_compiler && x.stride(2) == 1 && cos.stride(1) == 1 && sin.stride(1) == 1;
  for (int64_t t = 0; t < x.size(0); ++t) {
    int64_t h = 0;
    if (unit) {
      for (; h + TOGETHER <= heads; h += TOGETHER)
        turn_heads<TOGETHER>(&x(t, h, 0), x.stride(1), half, &cos(t, 0), &sin(t, 0));
      for (; h < heads; ++h)
        turn_heads<1>(&x(t, h, 0), x.stride(1), half, &cos(t, 0), &sin(t, 0));
    }
    for (; h < heads; ++h)
      for (int64_t d = 0; d < half; ++d) {
        const float a = x(t, h, d);
        const float b = x(t, h, d + half);
        x(t, h, d) = a * cos(t, d) - b * sin(t, d);
        x(t, h, d + half) = b * cos(t, d) + a * sin(t, d);
      }
  }
}
TUNECHECK_KERNEL(rope_inplace)
