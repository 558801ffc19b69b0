// Products of small tiles that lie packed in the nearest caches.
#ifndef KERNELS_GEMM_BETA_TILE_PRODUCT_H
#define KERNELS_GEMM_BETA_TILE_PRODUCT_H

#include <stdint.h>

// As wide as the registers that the compiler may use.
#if defined(__AVX512F__)
typedef float Lanes __attribute__((vector_size(64)));
#elif defined(__AVX__)
typedef float Lanes __attribute__((vector_size(32)));
#else
typedef float Lanes __attribute__((vector_size(16)));
#endif
inline constexpr int lanes = static_cast<int>(sizeof(Lanes) / sizeof(float));

// to[height][width] = the part of `from` that begins at (row, column), as float; zeros stand for
// what lies outside. Zeros add nothing to a product, so that a tile at the edge needs no other
// code.
template <int height, int width, class T>
void pack(float* __restrict__ to, tunecheck::Tensor<T> from, int64_t row, int64_t column) {
  const int64_t rows = from.size(0) - row < height ? from.size(0) - row : height;
  const int64_t columns = from.size(1) - column < width ? from.size(1) - column : width;
  const int64_t step = from.stride(1);
  for (int64_t i = 0; i < rows; ++i) {
    const T* __restrict__ const source = &from(row + i, column);
    float* __restrict__ const packed = to + i * width;
    if (step == 1 && columns == width)
      for (int64_t j = 0; j < width; ++j)
        packed[j] = source[j];
    else
      for (int64_t j = 0; j < width; ++j)
        packed[j] = j < columns ? static_cast<float>(source[j * step]) : 0.0f;
  }
  for (int64_t i = rows * width; i < height * width; ++i)
    to[i] = 0;
}

// One register from memory of any alignment, and back. Copying several at once would keep them all
// in memory.
inline Lanes load(const float* from) {
  Lanes value;
  __builtin_memcpy(&value, from, sizeof value);
  return value;
}
inline void store(float* to, Lanes value) {
  __builtin_memcpy(to, &value, sizeof value);
}

// sums[height][width] += a[height][depth] * b[depth][width], with `rows` x 2 registers of sums.
template <int height, int width, int depth, int rows>
void add_product(const float* __restrict__ a, const float* __restrict__ b,
                 float* __restrict__ sums) {
  static_assert(height % rows == 0 && width % (2 * lanes) == 0, "whole blocks of registers");
  for (int j = 0; j < width; j += 2 * lanes)
    for (int i = 0; i < height; i += rows) {
      Lanes sum[rows][2];
      for (int r = 0; r < rows; ++r)
        for (int half = 0; half < 2; ++half)
          sum[r][half] = load(sums + (i + r) * width + j + half * lanes);
      for (int p = 0; p < depth; ++p) {
        const Lanes first = load(b + p * width + j);
        const Lanes second = load(b + p * width + j + lanes);
        for (int r = 0; r < rows; ++r) {
          const float left = a[(i + r) * depth + p];
          sum[r][0] += left * first;
          sum[r][1] += left * second;
        }
      }
      for (int r = 0; r < rows; ++r)
        for (int half = 0; half < 2; ++half)
          store(sums + (i + r) * width + j + half * lanes, sum[r][half]);
    }
}

#endif
