// Stores past the caches, for CPU kernels whose results are not read soon. An ordinary store to
// memory that is in no cache reads that memory first. The C library's copy avoids this for large
// blocks, and so can a kernel:
//
//   if (tunecheck::streams_well(y.size(0) * int64_t{sizeof(Y_TYPE)})) {
//     tunecheck::stream(&y(0), y.size(0), [&](int64_t i) { return 2 * x(i); });
//     tunecheck::end_of_streams();
//   }
//
// Where the compiler knows no such stores, these are ordinary ones.
#ifndef TUNECHECK_STREAMED_H
#define TUNECHECK_STREAMED_H

#include <stddef.h>
#include <stdint.h>

namespace tunecheck {

// True for results of so many bytes that they leave the nearest caches before they are read again.
inline bool streams_well(int64_t bytes) {
  return bytes >= int64_t{4} << 20;
}

namespace detail {

inline constexpr int64_t line_bytes = 64;

// One line of the caches, which begins where one of them does.
inline void stream_line(void* to, const void* line) {
#if defined(__AVX__) && !defined(__clang__)
  typedef float Vector __attribute__((vector_size(32)));
  const auto store = [](float* at, Vector value) { __builtin_ia32_movntps256(at, value); };
#elif defined(__SSE__) && !defined(__clang__)
  typedef float Vector __attribute__((vector_size(16)));
  const auto store = [](float* at, Vector value) { __builtin_ia32_movntps(at, value); };
#elif defined(__clang__)
  typedef float Vector __attribute__((vector_size(16)));
  const auto store = [](float* at, Vector value) {
    __builtin_nontemporal_store(value, reinterpret_cast<Vector*>(at));
  };
#else
  typedef float Vector __attribute__((vector_size(16)));
  const auto store = [](float* at, Vector value) { __builtin_memcpy(at, &value, sizeof value); };
#endif
  constexpr unsigned long vectors = line_bytes / sizeof(Vector);
  for (unsigned long i = 0; i < vectors; ++i) {
    Vector value;
    __builtin_memcpy(&value, static_cast<const char*>(line) + i * sizeof value, sizeof value);
    store(static_cast<float*>(to) + i * (sizeof value / sizeof(float)), value);
  }
}

}  // namespace detail

// Once, after the last stream() and before another thread may look: such stores come in no order.
inline void end_of_streams() {
#if defined(__SSE__)
  __builtin_ia32_sfence();
#endif
}

// to[i] = value(i) for i in [0, count), with elements side by side. `value` must not read what has
// been written.
template <class T, class Value>
inline void stream(T* to, int64_t count, Value&& value) {
  constexpr int64_t in_line = detail::line_bytes / static_cast<int64_t>(sizeof(T));
  int64_t i = 0;
  for (; i < count && reinterpret_cast<uintptr_t>(to + i) % detail::line_bytes != 0; ++i)
    to[i] = static_cast<T>(value(i));
  for (; i + in_line <= count; i += in_line) {
    alignas(detail::line_bytes) T line[in_line];
    for (int64_t k = 0; k < in_line; ++k)
      line[k] = static_cast<T>(value(i + k));
    detail::stream_line(to + i, line);
  }
  for (; i < count; ++i)
    to[i] = static_cast<T>(value(i));
}

// Asks for elements that will be read soon, without waiting for them.
template <class T>
inline void fetch(const T* from, int64_t count) {
  for (int64_t i = 0; i < count; i += detail::line_bytes / static_cast<int64_t>(sizeof(T)))
    __builtin_prefetch(from + i);
}

}  // namespace tunecheck

#endif
