// How near other ways to write fused_add_rmsnorm come to a copy of as many bytes, bf16, 8192 x
// 8192, in place, all in turn with cold caches: rows in registers, with hints for loads and stores,
// several rows at once, and rows that go through shared memory by bulk copies. It belongs to no
// build, because it needs nvcc:
//   nvcc -O3 -std=c++17 -arch=sm_90 tests/bench/rmsnorm_variants.cu -o rmsnorm_variants
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr int rows = 8192, cols = 8192;
constexpr int width = 8;  // elements of 16 bytes
constexpr int row_words = cols / width;
constexpr float eps = 1e-6F;

enum class Hint { none, no_allocate, evict_first, streaming, l2_128, l2_256 };

template <Hint hint>
__device__ uint4 load(const uint4* from) {
  uint4 word;
  if constexpr (hint == Hint::none)
    word = *from;
  else if constexpr (hint == Hint::streaming)
    word = __ldcs(from);
  else if constexpr (hint == Hint::no_allocate)
    asm volatile("ld.global.L1::no_allocate.v4.u32 {%0,%1,%2,%3},[%4];"
                 : "=r"(word.x), "=r"(word.y), "=r"(word.z), "=r"(word.w)
                 : "l"(from));
  else if constexpr (hint == Hint::l2_128)
    asm volatile("ld.global.L2::128B.v4.u32 {%0,%1,%2,%3},[%4];"
                 : "=r"(word.x), "=r"(word.y), "=r"(word.z), "=r"(word.w)
                 : "l"(from));
  else if constexpr (hint == Hint::l2_256)
    asm volatile("ld.global.L2::256B.v4.u32 {%0,%1,%2,%3},[%4];"
                 : "=r"(word.x), "=r"(word.y), "=r"(word.z), "=r"(word.w)
                 : "l"(from));
  else
    asm volatile("ld.global.L1::evict_first.v4.u32 {%0,%1,%2,%3},[%4];"
                 : "=r"(word.x), "=r"(word.y), "=r"(word.z), "=r"(word.w)
                 : "l"(from));
  return word;
}

template <Hint hint>
__device__ void store(uint4* to, uint4 word) {
  if constexpr (hint == Hint::none)
    *to = word;
  else if constexpr (hint == Hint::streaming)
    __stcs(to, word);
  else if constexpr (hint == Hint::no_allocate)
    asm volatile("st.global.L1::no_allocate.v4.u32 [%0],{%1,%2,%3,%4};" ::"l"(to), "r"(word.x),
                 "r"(word.y), "r"(word.z), "r"(word.w)
                 : "memory");
  else
    asm volatile("st.global.L1::evict_first.v4.u32 [%0],{%1,%2,%3,%4};" ::"l"(to), "r"(word.x),
                 "r"(word.y), "r"(word.z), "r"(word.w)
                 : "memory");
}

__device__ float2 to_floats(unsigned pair) {
  return __bfloat1622float2(*reinterpret_cast<__nv_bfloat162*>(&pair));
}
__device__ unsigned to_bf16(float2 pair) {
  const auto rounded = __float22bfloat162_rn(pair);
  return *reinterpret_cast<const unsigned*>(&rounded);
}

// A thread's part of a row: the sums, and the squares added up.
template <int vectors>
struct Sums {
  float2 pairs[vectors][4];
  float squares = 0;

  // Of one vector of each; returns their sum in bf16.
  __device__ uint4 add(int v, const uint4& a, const uint4& b) {
    uint4 rounded;
    const unsigned *x = &a.x, *y = &b.x;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      float2 sum = to_floats(x[k]);
      const float2 other = to_floats(y[k]);
      sum.x += other.x;
      sum.y += other.y;
      pairs[v][k] = sum;
      squares += sum.x * sum.x + sum.y * sum.y;
      (&rounded.x)[k] = to_bf16(sum);
    }
    return rounded;
  }
  __device__ uint4 scaled(int v, float scale, const uint4& weights) const {
    uint4 result;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const float2 weight = to_floats((&weights.x)[k]);
      (&result.x)[k] =
          to_bf16({pairs[v][k].x * scale * weight.x, pairs[v][k].y * scale * weight.y});
    }
    return result;
  }
  __device__ uint4 rounded(int v) const {
    uint4 result;
#pragma unroll
    for (int k = 0; k < 4; ++k)
      (&result.x)[k] = to_bf16(pairs[v][k]);
    return result;
  }
};

template <int threads>
__device__ float scale_of(float squares, float* parts) {
  for (int distance = 16; distance > 0; distance /= 2)
    squares += __shfl_xor_sync(~0U, squares, distance);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = squares;
  __syncthreads();
  float all = parts[threadIdx.x % (threads / 32)];
  for (int distance = threads / 64; distance > 0; distance /= 2)
    all += __shfl_xor_sync(~0U, all, distance);
  return rsqrtf(all / cols + eps);
}

// One block a row, in registers. `late`: the sums are stored after the reduction, with the result.
template <int threads, int blocks, Hint loads, Hint stores, bool late>
__global__ void __launch_bounds__(threads, blocks)
    in_registers(uint4* input, uint4* residual, const uint4* weight) {
  constexpr int vectors = row_words / threads;
  __shared__ float parts[32];
  uint4* const in = input + static_cast<std::size_t>(blockIdx.x) * row_words + threadIdx.x;
  uint4* const kept = residual + static_cast<std::size_t>(blockIdx.x) * row_words + threadIdx.x;
  uint4 a[vectors], b[vectors], weights[vectors];
#pragma unroll
  for (int v = 0; v < vectors; ++v)
    b[v] = load<loads>(kept + v * threads);
#pragma unroll
  for (int v = 0; v < vectors; ++v)
    a[v] = load<loads>(in + v * threads);
  Sums<vectors> sums;
#pragma unroll
  for (int v = 0; v < vectors; ++v) {
    const uint4 rounded = sums.add(v, a[v], b[v]);
    if (!late) store<stores>(kept + v * threads, rounded);
  }
#pragma unroll
  for (int v = 0; v < vectors; ++v)
    weights[v] = __ldg(weight + v * threads + threadIdx.x);
  const float scale = scale_of<threads>(sums.squares, parts);
#pragma unroll
  for (int v = 0; v < vectors; ++v) {
    if (late) store<stores>(kept + v * threads, sums.rounded(v));
    store<stores>(in + v * threads, sums.scaled(v, scale, weights[v]));
  }
}

// A block has several rows at once, with one barrier for all of them.
template <int threads, int together>
__global__ void __launch_bounds__(threads, 1)
    rows_together(uint4* input, uint4* residual, const uint4* weight) {
  constexpr int vectors = row_words / threads;
  constexpr int warps = threads / 32;
  __shared__ float parts[together][warps];
  const std::size_t begin =
      static_cast<std::size_t>(blockIdx.x) * together * row_words + threadIdx.x;
  uint4* const in = input + begin;
  uint4* const kept = residual + begin;
  uint4 a[together][vectors], b[together][vectors], weights[vectors];
#pragma unroll
  for (int r = 0; r < together; ++r)
#pragma unroll
    for (int v = 0; v < vectors; ++v)
      b[r][v] = kept[r * row_words + v * threads];
#pragma unroll
  for (int r = 0; r < together; ++r)
#pragma unroll
    for (int v = 0; v < vectors; ++v)
      a[r][v] = in[r * row_words + v * threads];
  Sums<vectors> sums[together];
#pragma unroll
  for (int r = 0; r < together; ++r)
#pragma unroll
    for (int v = 0; v < vectors; ++v)
      kept[r * row_words + v * threads] = sums[r].add(v, a[r][v], b[r][v]);
#pragma unroll
  for (int v = 0; v < vectors; ++v)
    weights[v] = __ldg(weight + v * threads + threadIdx.x);
#pragma unroll
  for (int r = 0; r < together; ++r) {
    float squares = sums[r].squares;
    for (int distance = 16; distance > 0; distance /= 2)
      squares += __shfl_xor_sync(~0U, squares, distance);
    if (threadIdx.x % 32 == 0) parts[r][threadIdx.x / 32] = squares;
  }
  __syncthreads();
#pragma unroll
  for (int r = 0; r < together; ++r) {
    float all = parts[r][threadIdx.x % warps];
    for (int distance = warps / 2; distance > 0; distance /= 2)
      all += __shfl_xor_sync(~0U, all, distance);
    const float scale = rsqrtf(all / cols + eps);
#pragma unroll
    for (int v = 0; v < vectors; ++v)
      in[r * row_words + v * threads] = sums[r].scaled(v, scale, weights[v]);
  }
}

// Barriers in shared memory and bulk copies, of one thread.
struct Bulk {
  static __device__ std::uint32_t address(const void* shared) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
  }
  static __device__ void init(std::uint32_t barrier) {
    asm volatile("mbarrier.init.shared.b64 [%0],1;" ::"r"(barrier));
  }
  static __device__ void wait(std::uint32_t barrier, unsigned phase) {
    asm volatile(
        "{.reg .pred p; L: mbarrier.try_wait.parity.shared.b64 p,[%0],%1; @!p bra L;}" ::"r"(
            barrier),
        "r"(phase)
        : "memory");
  }
  static __device__ void expect(std::uint32_t barrier, unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _,[%0],%1;" ::"r"(barrier), "r"(bytes)
                 : "memory");
  }
  static __device__ void load(std::uint32_t to, const void* from, unsigned bytes,
                              std::uint32_t barrier) {
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
        "[%0],[%1],%2,[%3];" ::"r"(to),
        "l"(from), "r"(bytes), "r"(barrier)
        : "memory");
  }
  static __device__ void store(void* to, std::uint32_t from, unsigned bytes) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0],[%1],%2;" ::"l"(to), "r"(from),
                 "r"(bytes)
                 : "memory");
  }
};

// Blocks walk through the rows with a ring of `stages` rows of both tensors in shared memory.
template <int threads, int stages, int blocks>
__global__ void __launch_bounds__(threads, blocks)
    by_bulk_copies(uint4* input, uint4* residual, const uint4* weight) {
  extern __shared__ __align__(128) uint4 ring[];
  __shared__ std::uint64_t barriers[stages];
  __shared__ float parts[2][32];
  constexpr int vectors = row_words / threads;
  constexpr unsigned row_bytes = row_words * sizeof(uint4);
  constexpr int ahead = stages > 1 ? stages - 1 : 1;
  const bool leads = threadIdx.x == 0;
  const auto barrier = [&](int stage) { return Bulk::address(&barriers[stage]); };
  const auto slot = [&](int stage) { return ring + stage * 2 * row_words; };
  const auto row_of = [](uint4* tensor, int row) {
    return tensor + static_cast<std::size_t>(row) * row_words;
  };
  const auto ask = [&](int stage, int row) {
    const std::uint32_t to = Bulk::address(slot(stage));
    Bulk::expect(barrier(stage), 2 * row_bytes);
    Bulk::load(to, row_of(input, row), row_bytes, barrier(stage));
    Bulk::load(to + row_bytes, row_of(residual, row), row_bytes, barrier(stage));
  };
  if (leads) {
    for (int stage = 0; stage < stages; ++stage)
      Bulk::init(barrier(stage));
    asm volatile("fence.mbarrier_init.release.cluster;");
  }
  __syncthreads();
  if (leads)
    for (int stage = 0; stage < ahead; ++stage)
      if (const int row = blockIdx.x + stage * gridDim.x; row < rows) ask(stage, row);
  uint4 weights[vectors];
#pragma unroll
  for (int v = 0; v < vectors; ++v)
    weights[v] = __ldg(weight + v * threads + threadIdx.x);
  int stage = 0, turn = 0;
  unsigned phase = 0;
#pragma unroll 1
  for (int row = blockIdx.x; row < rows; row += gridDim.x, turn ^= 1) {
    Bulk::wait(barrier(stage), phase);
    uint4* const x = slot(stage) + threadIdx.x;
    uint4* const y = x + row_words;
    Sums<vectors> sums;
#pragma unroll
    for (int v = 0; v < vectors; ++v)
      y[v * threads] = sums.add(v, x[v * threads], y[v * threads]);
    const float scale = scale_of<threads>(sums.squares, parts[turn]);
#pragma unroll
    for (int v = 0; v < vectors; ++v)
      x[v * threads] = sums.scaled(v, scale, weights[v]);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (leads) {
      const std::uint32_t from = Bulk::address(slot(stage));
      Bulk::store(row_of(input, row), from, row_bytes);
      Bulk::store(row_of(residual, row), from + row_bytes, row_bytes);
      asm volatile("cp.async.bulk.commit_group;");
      // What is filled next must have been read for its own store.
      if (const int next = row + ahead * gridDim.x; next < rows) {
        if constexpr (stages > 1)
          asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
        else
          asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
        ask((stage + ahead) % stages, next);
      }
    }
    if (++stage == stages) {
      stage = 0;
      phase ^= 1;
    }
  }
  if (leads) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

// One word a thread.
__global__ void plain_copy(const uint4* from, uint4* to) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  to[i] = from[i];
}

// What fused_add_rmsnorm reads and writes, one word of each a thread, and no row of it.
__global__ void without_rows(uint4* input, uint4* residual) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  Sums<1> sums;
  const uint4 rounded = sums.add(0, input[i], residual[i]);
  residual[i] = rounded;
  input[i] = sums.scaled(0, sums.squares, rounded);
}

// Many words a thread, as blocks that stay do it.
__global__ void striding_copy(const uint4* from, uint4* to, std::size_t words) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; i < words;
       i += step)
    to[i] = from[i];
}

void must(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

using Launch = void (*)(uint4* input, uint4* residual, const uint4* weight);
struct Variant {
  std::string name;
  Launch launch;
  std::vector<double> us = {};
};

constexpr const char* hint_names[] = {"",           " no_allocate", " evict_first",
                                      " streaming", " l2_128",      " l2_256"};

template <int threads, int blocks, bool late = false, Hint loads = Hint::none,
          Hint stores = Hint::none>
Variant registers() {
  const std::string name = "registers " + std::to_string(threads) + " threads, " +
                           std::to_string(blocks) + " blocks" + (late ? ", stored late" : "") +
                           ", loads" + hint_names[static_cast<int>(loads)] + ", stores" +
                           hint_names[static_cast<int>(stores)];
  return {name, [](uint4* input, uint4* residual, const uint4* weight) {
            in_registers<threads, blocks, loads, stores, late>
                <<<rows, threads>>>(input, residual, weight);
          }};
}

// At most `blocks` on a multiprocessor, because each takes its share of the shared memory.
template <int threads, int blocks, bool late = false>
Variant crowded() {
  const std::string name = "registers " + std::to_string(threads) + " threads, at most " +
                           std::to_string(blocks) + " blocks" + (late ? ", stored late" : "");
  return {name, [](uint4* input, uint4* residual, const uint4* weight) {
            constexpr auto kernel = in_registers<threads, 1, Hint::none, Hint::none, late>;
            constexpr int bytes = (227 << 10) / blocks - 2048;
            // Variants with other numbers of blocks launch the same kernel.
            must(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
                 "shared memory");
            kernel<<<rows, threads, bytes>>>(input, residual, weight);
          }};
}

template <int threads, int together, int blocks>
Variant rows_at_once() {
  const std::string name = std::to_string(together) + " rows at once, " + std::to_string(threads) +
                           " threads, at most " + std::to_string(blocks) + " blocks";
  return {name, [](uint4* input, uint4* residual, const uint4* weight) {
            constexpr auto kernel = rows_together<threads, together>;
            constexpr int bytes = threads * blocks == 2048 ? 0 : (227 << 10) / blocks - 2048;
            must(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
                 "shared memory");
            kernel<<<rows / together, threads, bytes>>>(input, residual, weight);
          }};
}

// `per_processor` blocks on each multiprocessor; 0: one block a row.
template <int threads, int stages, int per_processor>
Variant bulk() {
  const std::string name = "bulk " + std::to_string(threads) + " threads, " +
                           std::to_string(stages) + " rows, " +
                           (per_processor == 0 ? std::string("a block per row")
                                               : std::to_string(per_processor) + " blocks");
  return {name, [](uint4* input, uint4* residual, const uint4* weight) {
            constexpr int bytes = stages * 2 * row_words * static_cast<int>(sizeof(uint4));
            static const int processors = [] {
              cudaDeviceProp properties{};
              must(cudaGetDeviceProperties(&properties, 0), "properties");
              must(cudaFuncSetAttribute(by_bulk_copies<threads, stages, 1>,
                                        cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
                   "shared memory");
              return properties.multiProcessorCount;
            }();
            const int grid = per_processor == 0 ? rows : per_processor * processors;
            by_bulk_copies<threads, stages, 1><<<grid, threads, bytes>>>(input, residual, weight);
          }};
}

std::vector<Variant> all_variants() {
  constexpr Hint none = Hint::none, skip = Hint::no_allocate, first = Hint::evict_first,
                 stream = Hint::streaming, half = Hint::l2_128, whole = Hint::l2_256;
  return {registers<256, 1>(),
          registers<256, 1, true>(),
          registers<256, 3>(),
          registers<256, 4>(),
          registers<256, 4, true>(),
          registers<256, 5>(),
          registers<512, 1>(),
          registers<512, 1, true>(),
          registers<512, 2>(),
          registers<512, 3>(),
          registers<512, 3, true>(),
          registers<512, 4>(),
          registers<1024, 2>(),
          registers<1024, 2, true>(),
          registers<512, 3, false, skip>(),
          registers<512, 3, false, first>(),
          registers<512, 3, false, stream>(),
          registers<512, 3, false, none, stream>(),
          registers<512, 3, false, none, skip>(),
          registers<512, 3, false, none, first>(),
          registers<512, 3, false, skip, stream>(),
          registers<512, 3, false, first, first>(),
          registers<512, 3, false, stream, stream>(),
          registers<512, 3, true, stream, stream>(),
          registers<512, 3, true, first>(),
          registers<256, 4, false, stream, stream>(),
          registers<256, 4, true, first>(),
          registers<256, 4, true, stream, stream>(),
          registers<512, 3, false, half>(),
          registers<512, 3, false, whole>(),
          registers<256, 4, false, half>(),
          registers<256, 4, false, whole>(),
          registers<1024, 2, false, whole>(),
          rows_at_once<1024, 2, 2>(),
          rows_at_once<1024, 2, 1>(),
          rows_at_once<1024, 4, 1>(),
          rows_at_once<512, 2, 4>(),
          rows_at_once<512, 2, 3>(),
          rows_at_once<512, 2, 2>(),
          rows_at_once<512, 1, 3>(),
          rows_at_once<256, 2, 4>(),
          crowded<256, 2>(),
          crowded<256, 4>(),
          crowded<256, 6>(),
          crowded<512, 1>(),
          crowded<512, 2>(),
          crowded<512, 2, true>(),
          crowded<512, 3>(),
          crowded<512, 3, true>(),
          crowded<256, 5>(),
          crowded<256, 7>(),
          crowded<1024, 1>(),
          crowded<1024, 1, true>(),
          bulk<256, 1, 0>(),
          bulk<512, 1, 0>(),
          bulk<256, 1, 6>(),
          bulk<512, 1, 4>(),
          bulk<256, 2, 3>(),
          bulk<512, 2, 3>(),
          bulk<512, 3, 2>(),
          bulk<256, 3, 2>(),
          bulk<512, 6, 1>(),
          bulk<1024, 6, 1>(),
          bulk<1024, 3, 2>(),
          bulk<256, 6, 1>()};
}

double median(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  return samples[samples.size() / 2];
}

template <class T>
T* allocate(std::size_t bytes) {
  void* memory = nullptr;
  must(cudaMalloc(&memory, bytes), "memory");
  return static_cast<T*>(memory);
}

// Timed by the device, with caches that hold nothing of what is read.
class Clock {
 public:
  Clock() {
    must(cudaEventCreate(&m_begin), "event");
    must(cudaEventCreate(&m_end), "event");
  }
  template <class Work>
  double us(Work work) const {
    must(cudaMemsetAsync(m_flushed, 1, flush_bytes), "flush");
    must(cudaEventRecord(m_begin), "event");
    work();
    must(cudaEventRecord(m_end), "event");
    must(cudaEventSynchronize(m_end), "launch");
    float ms = 0;
    must(cudaEventElapsedTime(&ms, m_begin, m_end), "event");
    return double{ms} * 1e3;
  }

 private:
  static constexpr std::size_t flush_bytes = std::size_t{120} << 20;
  char* m_flushed = allocate<char>(flush_bytes);
  cudaEvent_t m_begin{}, m_end{};
};

}  // namespace

int main() {
  constexpr std::size_t bytes = std::size_t{rows} * cols * 2;
  constexpr int checked = 4 * cols;  // the last elements
  uint4* const input = allocate<uint4>(bytes);
  uint4* const residual = allocate<uint4>(bytes);
  uint4* const weight = allocate<uint4>(cols * 2);
  uint4* const from = allocate<uint4>(2 * bytes);
  uint4* const to = allocate<uint4>(2 * bytes);
  std::vector<std::uint16_t> content(bytes / 2), weights(cols, 0x3f80), first, found(checked);
  for (std::size_t i = 0; i < content.size(); ++i)
    content[i] =
        static_cast<std::uint16_t>(0x3f00 + (static_cast<std::uint32_t>(i) * 2654435761U >> 24));
  must(cudaMemcpy(weight, weights.data(), cols * 2, cudaMemcpyHostToDevice), "weight");
  std::vector<Variant> variants = all_variants();
  for (const Variant& variant : variants) {
    must(cudaMemcpy(input, content.data(), bytes, cudaMemcpyHostToDevice), "input");
    must(cudaMemcpy(residual, content.data(), bytes, cudaMemcpyHostToDevice), "residual");
    variant.launch(input, residual, weight);
    must(cudaGetLastError(), variant.name.c_str());
    must(cudaDeviceSynchronize(), variant.name.c_str());
    const char* const end = reinterpret_cast<const char*>(input) + bytes;
    must(cudaMemcpy(found.data(), end - 2 * checked, 2 * checked, cudaMemcpyDeviceToHost),
         "result");
    if (first.empty()) first = found;
    int wrong = 0;
    for (int i = 0; i < checked; ++i)
      wrong += std::abs(int{found[i]} - int{first[i]}) > 1 ? 1 : 0;
    if (wrong > 0) {
      std::fprintf(stderr, "%s: %d elements differ\n", variant.name.c_str(), wrong);
      return 1;
    }
  }
  const Clock clock;
  constexpr std::size_t words = 2 * bytes / sizeof(uint4);
  std::vector<double> copies, plain, striding, simple;
  for (int round = 0; round < 40; ++round) {
    copies.push_back(clock.us(
        [&] { must(cudaMemcpyAsync(to, from, 2 * bytes, cudaMemcpyDeviceToDevice), "copy"); }));
    plain.push_back(clock.us([&] { plain_copy<<<words / 256, 256>>>(from, to); }));
    striding.push_back(clock.us([&] { striding_copy<<<1056, 512>>>(from, to, words); }));
    simple.push_back(clock.us([&] { without_rows<<<words / 2 / 256, 256>>>(input, residual); }));
    for (Variant& variant : variants)
      variant.us.push_back(clock.us([&] { variant.launch(input, residual, weight); }));
  }
  const double copy = median(copies);
  std::printf("%-70s %8.2f us\n", "cudaMemcpy of as many bytes", copy);
  for (const auto& [name, samples] :
       {std::pair("a kernel that copies, one word a thread", plain),
        std::pair("a kernel that copies, many words a thread", striding),
        std::pair("as many words in place, but no rows", simple)})
    std::printf("%-70s %8.2f us %.3f\n", name, median(samples), copy / median(samples));
  for (const Variant& variant : variants)
    std::printf("%-70s %8.2f us %.3f\n", variant.name.c_str(), median(variant.us),
                copy / median(variant.us));
  return 0;
}
