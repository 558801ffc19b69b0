// The arithmetic of digest_elements, the same for the CPU (C++) and for GPUs (CUDA C++, where it is
// compiled without any other header). A digest is
//
//   finish(sum of mix_element(element i, i) over all i, number of elements, dtype)
//
// with the elements in row-major order, their bytes (little-endian) as the low bits of a 64-bit
// number, and a sum that wraps. Sums may be taken in any order and in any pieces.
#ifndef TUNECHECK_ELEMENT_MIX_H
#define TUNECHECK_ELEMENT_MIX_H

#ifdef __CUDACC__
#define TUNECHECK_ELEMENT_MIX __device__ inline
#else
#define TUNECHECK_ELEMENT_MIX constexpr
#endif

namespace tunecheck {

static_assert(sizeof(unsigned long long) == 8);

// Stafford's thirteenth variant of MurmurHash3's last step: each bit of the result depends on each
// bit of x, and no two x have the same result.
TUNECHECK_ELEMENT_MIX unsigned long long mix_bits(unsigned long long x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

// What element `index` adds. The place is spread over all 64 bits before the element joins it:
// neighbours that change places do not cancel out.
TUNECHECK_ELEMENT_MIX unsigned long long mix_element(unsigned long long element,
                                                     unsigned long long index) {
  return mix_bits(element ^ ((index + 1) * 0x9e3779b97f4a7c15ULL));
}

// The digest of a whole tensor; `dtype` is the number of core/dtype.hpp.
TUNECHECK_ELEMENT_MIX unsigned long long finish_digest(unsigned long long sum,
                                                       unsigned long long count, int dtype) {
  return mix_bits(sum ^ mix_bits(count * 8 + static_cast<unsigned>(dtype)));
}

}  // namespace tunecheck

#endif
