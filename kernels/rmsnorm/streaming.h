// Stores that go around the caches, for results too large to be found there by whoever reads them.
#ifndef KERNELS_RMSNORM_STREAMING_H
#define KERNELS_RMSNORM_STREAMING_H

#include <stdint.h>

// Bytes of a result from which on it is streamed: more than the caches that one core can fill.
constexpr int64_t streaming_from = int64_t{8} << 20;
constexpr int streaming_width = 16;

// Copies streaming_width bytes to an address that is a multiple of it.
inline void stream(void* to, const void* from) {
  typedef float Four __attribute__((vector_size(streaming_width)));
  Four four;
  __builtin_memcpy(&four, from, sizeof four);
#if defined(__clang__)
  __builtin_nontemporal_store(four, static_cast<Four*>(to));
#elif defined(__SSE__)
  __builtin_ia32_movntps(static_cast<float*>(to), four);
#else
  *static_cast<Four*>(to) = four;
#endif
}

// Streamed stores become visible in any order; after this they are, to every thread.
inline void finish_streaming() {
#if defined(__SSE__)
  __builtin_ia32_sfence();
#else
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

#endif
