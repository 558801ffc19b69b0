// The word that a tile publishes, on a CPU and on a GPU alike.
//
// A word starts at zero. A tile adds its own sum to it as soon as it knows it, and the sum of all
// tiles before it when it knows that; each addition also counts in the low bits. So one atomic
// operation publishes a value together with what it is: 1 is the sum of the tile, 2 the sum of
// everything up to its end. Sums of floats are kept in steps of 2^-20, which makes them independent
// of how far a tile had to look back.
#ifndef KERNELS_SCAN_LOOKBACK_LOOKBACK_H
#define KERNELS_SCAN_LOOKBACK_LOOKBACK_H

#if defined(__CUDACC__) || defined(__CUDACC_RTC__) || defined(__HIP__) || defined(__HIPCC_RTC__)
#define SCAN_INLINE __device__ inline
#else
#define SCAN_INLINE inline
#endif

namespace lookback {

template <class T>
struct Wide {
  using Type = int64_t;
  static SCAN_INLINE int64_t steps(int64_t sum) { return sum; }
  static SCAN_INLINE int64_t sum(int64_t steps) { return steps; }
};
template <>
struct Wide<float> {
  using Type = double;
  static SCAN_INLINE int64_t steps(double sum) { return static_cast<int64_t>(sum * 0x1p20); }
  static SCAN_INLINE double sum(int64_t steps) { return static_cast<double>(steps) * 0x1p-20; }
};

constexpr uint64_t tile_only = 1;
constexpr uint64_t up_to_here = 2;

SCAN_INLINE uint64_t addition(int64_t steps, uint64_t counts) {
  return (static_cast<uint64_t>(steps) << 8) + counts;
}
SCAN_INLINE uint64_t count_of(uint64_t word) {
  return word & 0xff;
}
SCAN_INLINE int64_t steps_of(uint64_t word) {
  return static_cast<int64_t>(word) >> 8;
}

}  // namespace lookback

#endif
