// A square of elements transposed in registers, for elements of 2 or 4 bytes.
#ifndef KERNELS_TRANSPOSE_STRIDED_REGISTER_TRANSPOSE_H
#define KERNELS_TRANSPOSE_STRIDED_REGISTER_TRANSPOSE_H

#include <stdint.h>

// Vectors of 16 bytes, which every x86-64 and every AArch64 has.
template <int bytes>
struct Lanes;
template <>
struct Lanes<4> {
  typedef uint32_t Vector __attribute__((vector_size(16)));
  static Vector low(Vector a, Vector b) { return __builtin_shufflevector(a, b, 0, 4, 1, 5); }
  static Vector high(Vector a, Vector b) { return __builtin_shufflevector(a, b, 2, 6, 3, 7); }
};
template <>
struct Lanes<2> {
  typedef uint16_t Vector __attribute__((vector_size(16)));
  static Vector low(Vector a, Vector b) {
    return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
  }
  static Vector high(Vector a, Vector b) {
    return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
  }
};

// The side of the square.
template <class T>
inline constexpr int square = 16 / static_cast<int>(sizeof(T));

// out[j * out_step + i] = in[i * in_step + j] for i and j below `square`. Shuffling the first half
// of the rows into the second, element by element, transposes them after log2(square) rounds.
template <class T>
inline void transpose_square(const T* in, int64_t in_step, T* out, int64_t out_step) {
  using L = Lanes<sizeof(T)>;
  constexpr int side = square<T>;
  typename L::Vector rows[side];
  for (int i = 0; i < side; ++i)
    __builtin_memcpy(&rows[i], in + i * in_step, sizeof rows[i]);
  for (int round = 1; round < side; round *= 2) {
    typename L::Vector shuffled[side];
    for (int i = 0; i < side / 2; ++i) {
      shuffled[2 * i] = L::low(rows[i], rows[i + side / 2]);
      shuffled[2 * i + 1] = L::high(rows[i], rows[i + side / 2]);
    }
    for (int i = 0; i < side; ++i)
      rows[i] = shuffled[i];
  }
  for (int j = 0; j < side; ++j)
    __builtin_memcpy(out + j * out_step, &rows[j], sizeof rows[j]);
}

#endif
