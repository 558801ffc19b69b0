// Everything a GPU kernel's source needs, the same for CUDA and HIP. A kernel is an extern "C"
// function with the name of the kernel over Tensor<T> and scalars, in the order of kernel.info:
//
//   #include <tunecheck/gpu_kernel.h>
//
//   extern "C" __global__ void scale(tunecheck::Tensor<Y_TYPE> y, float factor) {
//     const int64_t i = tunecheck::global_index();
//     if (i < y.size(0)) y(i) *= factor;
//   }
//
// The config's parameters are macros in upper case (BLOCK), and so are the element types of the
// tensors (Y_TYPE for a tensor y): double, float, tunecheck::bf16, tunecheck::f16, int, int64_t or
// unsigned char. No other header can be included but those of the kernel's own folder: runtime
// compilers bring none.
#ifndef TUNECHECK_GPU_KERNEL_H
#define TUNECHECK_GPU_KERNEL_H

#if defined(__CUDACC_RTC__) || defined(__HIPCC_RTC__)
// Runtime compilers have no <stdint.h>; declaring a type again as what it is does no harm.
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
#else
#include <stdint.h>
#endif

#ifdef TUNECHECK_CONFIG
// The config as text ("block=64,vec=4"): an observer reads it out of the artifact.
extern "C" {
__attribute__((used)) __device__ char tunecheck_config[] = TUNECHECK_CONFIG;
}
#endif

namespace tunecheck {

// bfloat16 and IEEE half precision as element types that only store: arithmetic is done in float.
template <class Self>
struct Storage {
  template <class Number>
  __device__ Self& operator+=(Number value) {
    return self() = Self(static_cast<float>(self()) + static_cast<float>(value));
  }
  template <class Number>
  __device__ Self& operator-=(Number value) {
    return self() = Self(static_cast<float>(self()) - static_cast<float>(value));
  }
  template <class Number>
  __device__ Self& operator*=(Number value) {
    return self() = Self(static_cast<float>(self()) * static_cast<float>(value));
  }
  template <class Number>
  __device__ Self& operator/=(Number value) {
    return self() = Self(static_cast<float>(self()) / static_cast<float>(value));
  }

 private:
  __device__ Self& self() { return static_cast<Self&>(*this); }
};

struct bf16 : Storage<bf16> {
  uint16_t bits;

  bf16() = default;
  // To nearest, ties to even; a NaN stays one.
  __device__ bf16(float value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(value));
#else
    const uint32_t wide = __float_as_uint(value);
    bits = static_cast<uint16_t>(value != value ? wide >> 16 | 0x40
                                                : (wide + 0x7fff + (wide >> 16 & 1)) >> 16);
#endif
  }
  __device__ operator float() const {
    return __uint_as_float(static_cast<uint32_t>(bits) << 16);
  }
};

struct f16 : Storage<f16> {
  uint16_t bits;

  f16() = default;
#if defined(__HIP_DEVICE_COMPILE__) || defined(__HIPCC_RTC__) || defined(__HIP__)
  __device__ f16(float value) {
    bits = __builtin_bit_cast(uint16_t, static_cast<_Float16>(value));
  }
  __device__ operator float() const {
    return static_cast<float>(__builtin_bit_cast(_Float16, bits));
  }
#else
  __device__ f16(float value) {
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  }
  __device__ operator float() const {
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
    return value;
  }
#endif
};

// A strided tensor of up to 8 dimensions, passed by value; indices are not checked. The host writes
// exactly this layout.
template <class T>
struct Tensor {
  T* first;            // element [0, ..., 0]
  int64_t shape[8];    // elements
  int64_t strides[8];  // elements
  int32_t dimensions;
  int32_t dtype;  // f64, f32, bf16, f16, i32, i64, u8 from 0

  __device__ T* data() const { return first; }
  __device__ int64_t size(int dimension) const { return shape[dimension]; }
  __device__ int64_t stride(int dimension) const { return strides[dimension]; }
  __device__ int rank() const { return dimensions; }
  __device__ T& operator()(int64_t i) const { return first[i * strides[0]]; }
  __device__ T& operator()(int64_t i, int64_t j) const {
    return first[i * strides[0] + j * strides[1]];
  }
  __device__ T& operator()(int64_t i, int64_t j, int64_t k) const {
    return first[i * strides[0] + j * strides[1] + k * strides[2]];
  }
  __device__ T& operator()(int64_t i, int64_t j, int64_t k, int64_t l) const {
    return first[i * strides[0] + j * strides[1] + k * strides[2] + l * strides[3]];
  }
};

// This thread's number in a grid of one dimension.
__device__ inline int64_t global_index() {
  return static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
// The number of threads in a grid of one dimension: the step of a grid-stride loop.
__device__ inline int64_t global_size() {
  return static_cast<int64_t>(gridDim.x) * blockDim.x;
}

// Ends the kernel and its context with an error.
__device__ inline void trap() {
#ifdef __CUDACC__
  __trap();
#else
  __builtin_trap();
#endif
}

struct Sum {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a + b;
  }
};
struct Maximum {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a > b || a != a ? a : b;  // a NaN on either side stays
  }
};

// The value of the thread `distance` further on among the same 32. Wavefronts have 32 or 64 lanes;
// half of one that has 64 is as good as a warp here.
template <class T>
__device__ T from_further_lane(T value, int distance) {
#ifdef __CUDACC__
  return __shfl_down_sync(0xffffffffu, value, distance);
#else
  return __shfl_down(value, distance, 32);
#endif
}

// The value of the thread `distance` before this one among the same 32; its own where there is
// none.
template <class T>
__device__ T from_earlier_lane(T value, int distance) {
#ifdef __CUDACC__
  return __shfl_up_sync(0xffffffffu, value, distance);
#else
  return __shfl_up(value, distance, 32);
#endif
}

// Combines one value of each of the block's threads; every thread gets the result. `threads` is
// exactly the number of threads in the block (any up to 1024, one dimension), and all of them must
// call it. The order of the operations is always the same. Where `threads` is a multiple of 32, 32
// neighbours combine theirs without shared memory; it takes threads / 32 * sizeof(T) bytes of it
// then, else threads * sizeof(T), for each T and Operation. T is an arithmetic type of 4 or 8
// bytes; sums of bf16 and f16 belong into a float.
template <int threads, class T, class Operation>
__device__ T block_reduce(T value, Operation operation) {
  constexpr int lanes = threads % 32 == 0 ? 32 : 1;
  constexpr int groups = threads / lanes;
  __shared__ T values[groups];
  const int thread = static_cast<int>(threadIdx.x);
  for (int distance = lanes / 2; distance > 0; distance /= 2)
    value = operation(value, from_further_lane(value, distance));
  __syncthreads();  // a former call's values may still be read
  if (thread % lanes == 0) values[thread / lanes] = value;
  __syncthreads();
  if constexpr (lanes > 1) {
    T result = values[0];
#pragma unroll
    for (int group = 1; group < groups; ++group)
      result = operation(result, values[group]);
    return result;
  } else {
    for (int count = groups; count > 1;) {
      const int half = (count + 1) / 2;
      if (thread < count - half) values[thread] = operation(values[thread], values[thread + half]);
      __syncthreads();
      count = half;
    }
    return values[0];
  }
}

}  // namespace tunecheck

#endif
