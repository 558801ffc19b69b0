// exp for arguments up to 0, in operations that the compiler can make vectors of.
#ifndef KERNELS_SOFTMAX_INPLACE_EXPONENTIAL_H
#define KERNELS_SOFTMAX_INPLACE_EXPONENTIAL_H

#include <stdint.h>

// exp(x) = 2^n exp(r) with whole n and |r| <= log(2) / 2, where the Taylor polynomial of degree 7
// leaves out at most r^8 / 8! < 6e-9; its rounding errors stay below 3e-7. Below -87 the result
// stays at exp(-87) = 1.6e-38, so that no subnormal number slows a row down. NaN remains NaN.
// To choose by comparison needs -fno-trapping-math: otherwise the compiler makes a branch of it.
inline float exponential(float x) {
  constexpr float log2_e = 1.44269504f;
  constexpr float log_2_high = 0.693359375f;  // few bits: its product with n is exact
  constexpr float log_2_low = -2.12194440e-4f;
  constexpr float to_whole = 12582912;  // 1.5 * 2^23: a sum with it has no place for a fraction
  x = x < -87 ? -87 : x;
  const float shifted = x * log2_e + to_whole;
  const float n = shifted - to_whole;
  const float r = (x - n * log_2_high) - n * log_2_low;
  float sum = 1.0f / 5040;
  sum = sum * r + 1.0f / 720;
  sum = sum * r + 1.0f / 120;
  sum = sum * r + 1.0f / 24;
  sum = sum * r + 1.0f / 6;
  sum = sum * r + 0.5f;
  sum = sum * r + 1;
  sum = sum * r + 1;
  // The lowest bits of `shifted` are n; moved into the exponent of 1 they make 2^n.
  const uint32_t power = (__builtin_bit_cast(uint32_t, shifted) << 23) + 0x3f800000;
  return sum * __builtin_bit_cast(float, power);
}

#endif
