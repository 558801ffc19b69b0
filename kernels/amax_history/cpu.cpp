// Delayed scaling for FP8. The maximum of |x| is found as one of whole numbers: without the sign,
// the bits of floats are ordered as their values are, in every format. Each BLOCK of elements is
// reduced to one number, UNROLL blocks side by side; the longer a block, the rarer the reductions.
#include <tunecheck/cpu_kernel.h>
#include <tunecheck/streamed.h>

namespace {

constexpr int64_t ahead = 512;  // elements between what is read and what is asked for

inline uint32_t magnitude(float value) {
  return tunecheck::detail::bits_of(value) & 0x7fffffff;
}
inline float value_of(uint32_t magnitude) {
  return tunecheck::detail::float_of(magnitude);
}
template <class Half>
inline uint16_t magnitude(Half value) {
  return value.bits & 0x7fff;
}
inline float value_of(uint16_t magnitude) {
  X_TYPE value;
  __builtin_memcpy(&value, &magnitude, sizeof value);
  return static_cast<float>(value);
}

using Bits = decltype(magnitude(X_TYPE()));

inline Bits larger(Bits a, Bits b) {
  return a > b ? a : b;
}

float largest_magnitude(const tunecheck::Tensor<X_TYPE>& x) {
  constexpr int64_t step = BLOCK * UNROLL;
  const int64_t n = x.size(0);
  Bits most[UNROLL] = {};
  int64_t i = 0;
  if (x.stride(0) == 1) {
    const X_TYPE* const data = x.data();
    const bool fetches = tunecheck::streams_well(n * int64_t{sizeof(X_TYPE)});
    for (; i + step <= n; i += step)
      for (int u = 0; u < UNROLL; ++u) {
        if (fetches && i + step + ahead <= n) tunecheck::fetch(data + i + u * BLOCK + ahead, BLOCK);
        Bits block = 0;
        for (int b = 0; b < BLOCK; ++b)
          block = larger(block, magnitude(data[i + u * BLOCK + b]));
        most[u] = larger(most[u], block);
      }
  }
  Bits all = 0;
  for (; i < n; ++i)
    all = larger(all, magnitude(x(i)));
  for (const Bits one : most)
    all = larger(all, one);
  return value_of(all);
}

}  // namespace

void amax_history(tunecheck::Tensor<X_TYPE> x, tunecheck::Tensor<HISTORY_TYPE> history,
                  tunecheck::Tensor<SCALE_TYPE> scale, tunecheck::Tensor<PARTIAL_TYPE> /*partial*/,
                  float fp8_max) {
  float newest = largest_magnitude(x);
  float most = 0;
  for (int64_t h = 0; h < history.size(0); ++h) {
    const float older = history(h);
    history(h) = newest;
    if (newest > most) most = newest;
    newest = older;
  }
  if (most > 0) scale(0) = fp8_max / most;
}
TUNECHECK_KERNEL(amax_history)
