// What GpuMemory does to bytes on the device. Compiled for CUDA to memory_kernels.ptx, which lies
// beside this file; a test compares the two.
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;

namespace {

__device__ uint64_t first_index() {
  return static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ uint64_t step() {
  return static_cast<uint64_t>(gridDim.x) * blockDim.x;
}

__device__ void add_to(uint64_t* total, uint64_t found) {
  if (found > 0) atomicAdd(total, found);
}

__device__ double value_of(double element) {
  return element;
}
__device__ double value_of(float element) {
  return element;
}

struct Bf16 {
  uint16_t bits;
};
__device__ double value_of(Bf16 element) {
  return __uint_as_float(static_cast<uint32_t>(element.bits) << 16);
}

struct F16 {
  uint16_t bits;
};
__device__ double value_of(F16 element) {
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(element.bits));
  return value;
}

// As compare() of core/compare.cpp says it: NaN equals NaN, infinities only themselves, and what
// was never written is wrong.
__device__ bool agree(double actual, double expected, double relative, double absolute) {
  if (actual == expected) return true;
  const bool actual_is_nan = actual != actual;
  const bool expected_is_nan = expected != expected;
  if (actual_is_nan || expected_is_nan) return actual_is_nan && expected_is_nan;
  if (isinf(actual) || isinf(expected)) return false;
  return fabs(actual - expected) <= absolute + relative * fabs(expected);
}

template <class Element, class Bits>
__device__ void count_wrong(const Element* actual, const Element* expected, uint64_t count,
                            double relative, double absolute, Bits poison, uint64_t* wrong) {
  uint64_t found = 0;
  for (uint64_t i = first_index(); i < count; i += step()) {
    const bool unwritten = reinterpret_cast<const Bits*>(actual)[i] == poison;
    if (unwritten || !agree(value_of(actual[i]), value_of(expected[i]), relative, absolute))
      ++found;
  }
  add_to(wrong, found);
}

// Elements of 1, 2, 4 or 8 bytes; strides in elements. The host writes exactly this layout.
struct Elements {
  uint64_t count;
  uint64_t shape[8];
  long long strides[8];
  long long other_strides[8];
  uint32_t rank;
  uint32_t size;
};

// Where element `index`, in row-major order, lies by the one strides and by the others.
__device__ void locate(const Elements& elements, uint64_t index, long long& at, long long& other) {
  at = 0;
  other = 0;
#pragma unroll 1
  for (int d = static_cast<int>(elements.rank) - 1; d >= 0; --d) {
    const long long i = static_cast<long long>(index % elements.shape[d]);
    index /= elements.shape[d];
    at += i * elements.strides[d];
    other += i * elements.other_strides[d];
  }
}

template <class Element>
__device__ void copy_each(Element* to, const Element* from, const Elements& elements) {
#pragma unroll 1
  for (uint64_t i = first_index(); i < elements.count; i += step()) {
    long long at, other;
    locate(elements, i, at, other);
    to[at] = from[other];
  }
}

template <class Element>
__device__ void fill_each(Element* to, Element value, const Elements& elements) {
#pragma unroll 1
  for (uint64_t i = first_index(); i < elements.count; i += step()) {
    long long at, other;
    locate(elements, i, at, other);
    to[at] = value;
  }
}

}  // namespace

extern "C" __global__ void copy_elements(void* to, const void* from, Elements elements) {
  switch (elements.size) {
    case 1:
      return copy_each(static_cast<uint8_t*>(to), static_cast<const uint8_t*>(from), elements);
    case 2:
      return copy_each(static_cast<uint16_t*>(to), static_cast<const uint16_t*>(from), elements);
    case 4:
      return copy_each(static_cast<uint32_t*>(to), static_cast<const uint32_t*>(from), elements);
    default:
      return copy_each(static_cast<uint64_t*>(to), static_cast<const uint64_t*>(from), elements);
  }
}

extern "C" __global__ void fill_elements(void* to, uint64_t value, Elements elements) {
  switch (elements.size) {
    case 1:
      return fill_each(static_cast<uint8_t*>(to), static_cast<uint8_t>(value), elements);
    case 2:
      return fill_each(static_cast<uint16_t*>(to), static_cast<uint16_t>(value), elements);
    case 4:
      return fill_each(static_cast<uint32_t*>(to), static_cast<uint32_t>(value), elements);
    default:
      return fill_each(static_cast<uint64_t*>(to), value, elements);
  }
}

extern "C" __global__ void count_other_bytes(const uint8_t* bytes, uint64_t count, uint8_t value,
                                             uint64_t* others) {
  uint64_t found = 0;
  for (uint64_t i = first_index(); i < count; i += step())
    if (bytes[i] != value) ++found;
  add_to(others, found);
}

extern "C" __global__ void count_different_bytes(const uint8_t* a, const uint8_t* b, uint64_t count,
                                                 uint64_t* different) {
  uint64_t found = 0;
  const uint64_t words =
      (reinterpret_cast<uint64_t>(a) | reinterpret_cast<uint64_t>(b)) % 16 == 0 ? count / 16 : 0;
  for (uint64_t i = first_index(); i < words; i += step()) {
    const uint4 left = reinterpret_cast<const uint4*>(a)[i];
    const uint4 right = reinterpret_cast<const uint4*>(b)[i];
    if (left.x != right.x || left.y != right.y || left.z != right.z || left.w != right.w) ++found;
  }
  for (uint64_t i = words * 16 + first_index(); i < count; i += step())
    if (a[i] != b[i]) ++found;
  add_to(different, found);
}

extern "C" __global__ void count_wrong_f64(const double* actual, const double* expected,
                                           uint64_t count, double relative, double absolute,
                                           uint64_t poison, uint64_t* wrong) {
  count_wrong(actual, expected, count, relative, absolute, poison, wrong);
}
extern "C" __global__ void count_wrong_f32(const float* actual, const float* expected,
                                           uint64_t count, double relative, double absolute,
                                           uint64_t poison, uint64_t* wrong) {
  count_wrong(actual, expected, count, relative, absolute, static_cast<uint32_t>(poison), wrong);
}
extern "C" __global__ void count_wrong_bf16(const Bf16* actual, const Bf16* expected,
                                            uint64_t count, double relative, double absolute,
                                            uint64_t poison, uint64_t* wrong) {
  count_wrong(actual, expected, count, relative, absolute, static_cast<uint16_t>(poison), wrong);
}
extern "C" __global__ void count_wrong_f16(const F16* actual, const F16* expected, uint64_t count,
                                           double relative, double absolute, uint64_t poison,
                                           uint64_t* wrong) {
  count_wrong(actual, expected, count, relative, absolute, static_cast<uint16_t>(poison), wrong);
}
