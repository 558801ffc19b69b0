// What a GPU kernel's source finds in the place of a GPU: the threads of a block run one after the
// other, each from barrier to barrier, and the blocks in their order. compile_server.py includes it
// before the source, and adds functions behind it that call these.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <ucontext.h>
#include <utility>

#include <sys/mman.h>

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __shared__ static
#define __launch_bounds__(...)

struct alignas(8) uint2 {
  unsigned x, y;
};
struct uint3 {
  unsigned x, y, z;
};
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};
struct alignas(16) float4 {
  float x, y, z, w;
};
inline float4 make_float4(float x, float y, float z, float w) {
  return {x, y, z, w};
}
static uint3 threadIdx, blockIdx, blockDim, gridDim;

namespace tunecheck_host {

constexpr unsigned most_threads = 1024;
constexpr std::size_t stack_bytes = std::size_t{1} << 17;

constexpr unsigned lanes = 32;

// What a thread waits for: nothing, the others of its wavefront, or those of its block.
enum class Waits { no, wavefront, block };

struct Fiber {
  ucontext_t context;
  uint3 thread;
  bool done;
  Waits waits;
  std::uint64_t offered, seen;  // to the wavefront's others, and of each when all had offered
};
static Fiber* fibers;
static char* stacks;
static ucontext_t scheduler;
static unsigned current;
static void (*body)(void**);
static void** arguments;

static void enter() {
  body(arguments);
  fibers[current].done = true;
  swapcontext(&fibers[current].context, &scheduler);
}

template <class Act>
void each_thread(Act&& act) {
  unsigned number = 0;
  for (unsigned z = 0; z < blockDim.z; ++z)
    for (unsigned y = 0; y < blockDim.y; ++y)
      for (unsigned x = 0; x < blockDim.x; ++x)
        act(number++, uint3{x, y, z});
}

// Lets these threads go on if all that are left wait for each other; false if none goes on.
static bool release(unsigned first, unsigned end, Waits waits) {
  bool any = false;
  for (unsigned number = first; number < end; ++number) {
    if (fibers[number].done) continue;
    if (fibers[number].waits != waits) return false;
    any = true;
  }
  for (unsigned number = first; number < end; ++number) {
    fibers[number].waits = Waits::no;
    fibers[number].seen = fibers[number].offered;
  }
  return any;
}

static void wait_for(Waits waits) {
  fibers[current].waits = waits;
  swapcontext(&fibers[current].context, &scheduler);
}

static void run_fibers() {
  if (fibers == nullptr) {
    fibers = new Fiber[most_threads];
    stacks = static_cast<char*>(mmap(nullptr, stack_bytes * most_threads, PROT_READ | PROT_WRITE,
                                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  }
  unsigned threads = 0;
  each_thread([&](unsigned number, uint3 thread) {
    Fiber& fiber = fibers[number];
    fiber.thread = thread;
    fiber.done = false;
    fiber.waits = Waits::no;
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = stacks + number * stack_bytes;
    fiber.context.uc_stack.ss_size = stack_bytes;
    fiber.context.uc_link = nullptr;
    makecontext(&fiber.context, enter, 0);
    threads = number + 1;
  });
  for (bool any = true; any;) {
    for (current = 0; current < threads; ++current) {
      if (fibers[current].done || fibers[current].waits != Waits::no) continue;
      threadIdx = fibers[current].thread;
      swapcontext(&scheduler, &fibers[current].context);
    }
    any = release(0, threads, Waits::block);
    for (unsigned first = 0; first < threads; first += lanes)
      any |= release(first, first + lanes < threads ? first + lanes : threads, Waits::wavefront);
  }
}

inline void run(void (*kernel)(void**), bool meets_barriers, const unsigned* grid,
                const unsigned* block, void** with) {
  body = kernel;
  arguments = with;
  gridDim = {grid[0], grid[1], grid[2]};
  blockDim = {block[0], block[1], block[2]};
  for (unsigned z = 0; z < grid[2]; ++z)
    for (unsigned y = 0; y < grid[1]; ++y)
      for (unsigned x = 0; x < grid[0]; ++x) {
        blockIdx = {x, y, z};
        if (meets_barriers) {
          run_fibers();
        } else {
          each_thread([&](unsigned, uint3 thread) {
            threadIdx = thread;
            body(arguments);
          });
        }
      }
}

template <class... P, std::size_t... I>
void call(void (*kernel)(P...), void** with, std::index_sequence<I...>) {
  kernel(*static_cast<std::remove_cv_t<P>*>(with[I])...);
}
template <class... P>
void call(void (*kernel)(P...), void** with) {
  call(kernel, with, std::index_sequence_for<P...>());
}

// For each parameter 256 times its size plus its alignment, then 0.
template <class... P>
const std::size_t* describe(void (*)(P...)) {
  static const std::size_t all[] = {(sizeof(P) * 256 + alignof(P))..., 0};
  return all;
}

}  // namespace tunecheck_host

inline void __syncthreads() {
  tunecheck_host::wait_for(tunecheck_host::Waits::block);
}

namespace tunecheck_host {

// The value of the thread `distance` further on in the same `width`; its own where there is none.
template <class T>
T shuffle(T value, int distance, int width) {
  static_assert(sizeof(T) <= sizeof(std::uint64_t));
  std::memcpy(&fibers[current].offered, &value, sizeof value);
  wait_for(Waits::wavefront);
  const int lane = static_cast<int>(current) % width + distance;
  const unsigned from = lane < 0 || lane >= width ? current : current + distance;
  std::memcpy(&value, &fibers[from].seen, sizeof value);
  return value;
}

}  // namespace tunecheck_host

template <class T>
T __shfl_down(T value, int distance, int width) {
  return tunecheck_host::shuffle(value, distance, width);
}
template <class T>
T __shfl_up(T value, int distance, int width) {
  return tunecheck_host::shuffle(value, -distance, width);
}

inline void __threadfence() {}

template <class T, class U>
T atomicAdd(T* at, U by) {
  const T old = *at;
  *at = static_cast<T>(old + by);
  return old;
}
template <class T, class U>
T atomicMax(T* at, U by) {
  const T old = *at;
  if (static_cast<T>(by) > old) *at = static_cast<T>(by);
  return old;
}
template <class T, class U>
T atomicExch(T* at, U by) {
  const T old = *at;
  *at = static_cast<T>(by);
  return old;
}

template <class T>
T min(T a, T b) {
  return b < a ? b : a;
}
template <class T>
T max(T a, T b) {
  return a < b ? b : a;
}

inline std::uint32_t __float_as_uint(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
inline float __uint_as_float(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
inline int __float_as_int(float value) {
  return static_cast<int>(__float_as_uint(value));
}
inline float __int_as_float(int bits) {
  return __uint_as_float(static_cast<std::uint32_t>(bits));
}
inline float rsqrtf(float value) {
  return 1.0f / std::sqrt(value);
}

namespace tunecheck_host {

// _Float16, which not every compiler has in C++: to nearest, ties to even.
struct Half {
  std::uint16_t bits;

  Half() = default;
  explicit Half(float value) {
    const std::uint32_t wide = __float_as_uint(value);
    const auto sign = static_cast<std::uint16_t>(wide >> 16 & 0x8000);
    const float size = std::fabs(value);
    if (size != size) {
      bits = sign | 0x7e00;
    } else if (size >= 65520.0f) {
      bits = sign | 0x7c00;
    } else if (size < 0x1p-14f) {
      bits = sign | static_cast<std::uint16_t>(std::nearbyint(size * 0x1p24f));
    } else {
      const std::uint32_t kept = wide & 0x7fffffff;
      const std::uint32_t rounded = kept + 0xfff + (kept >> 13 & 1);
      bits = sign | static_cast<std::uint16_t>((rounded - (112U << 23)) >> 13);
    }
  }
  operator float() const {
    const float sign = bits & 0x8000 ? -1.0f : 1.0f;
    const int exponent = bits >> 10 & 31;
    const int fraction = bits & 0x3ff;
    if (exponent == 31) return fraction != 0 ? NAN : sign * INFINITY;
    if (exponent == 0) return sign * static_cast<float>(fraction) * 0x1p-24f;
    return sign * std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
  }
};

}  // namespace tunecheck_host
#define __HIP__ 1
#define _Float16 tunecheck_host::Half
