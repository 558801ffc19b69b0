#pragma once
// Rows of a tensor that a block of threads works on, for GPU kernels: `#include
// <tunecheck/gpu_rows.h>`. A thread moves up to 16 bytes at once where the row lies so, and begins
// all its loads before it waits for one.
#include <tunecheck/gpu_kernel.h>

namespace tunecheck {

/// What a load or store instruction moves at once.
template <int bytes>
struct Word;
template <>
struct Word<2> {
  using type = unsigned short;
};
template <>
struct Word<4> {
  using type = unsigned;
};
template <>
struct Word<8> {
  using type = uint2;
};
template <>
struct Word<16> {
  using type = uint4;
};

/// `*to = word` in one instruction. NVRTC may make several of the assignment.
template <class Word>
__device__ void store_word(Word* to, const Word& word) {
  *to = word;
}
#ifdef __CUDACC__
__device__ inline void store_word(uint2* to, const uint2& word) {
  asm volatile("st.global.v2.u32 [%0], {%1, %2};" ::"l"(to), "r"(word.x), "r"(word.y) : "memory");
}
__device__ inline void store_word(uint4* to, const uint4& word) {
  asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(word.x), "r"(word.y),
               "r"(word.z), "r"(word.w)
               : "memory");
}
#endif

/// A word that the block does not read again: it takes no room in the block's first cache.
template <class Word>
__device__ Word load_word_once(const Word* from) {
  return *from;
}
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
__device__ inline uint4 load_word_once(const uint4* from) {
  uint4 word;
  asm volatile("ld.global.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(word.x), "=r"(word.y), "=r"(word.z), "=r"(word.w)
               : "l"(from));
  return word;
}
#endif

/// How many elements, at most `wanted`, 16 bytes hold of each of these types.
template <int wanted, class... Types>
__device__ constexpr int vector_width_of() {
  int widest = 1;
  ((widest = sizeof(Types) > widest ? static_cast<int>(sizeof(Types)) : widest), ...);
  return wanted < 16 / widest ? wanted : 16 / widest;
}

/// `width` elements side by side.
template <class T, int width>
union Vector {
  typename Word<sizeof(T) * width>::type word;
  T elements[width];

  __device__ Vector() {}
  // HIP's words of several numbers are classes, with which a union has no copies of its own.
  __device__ Vector(const Vector& other) : word(other.word) {}
  __device__ Vector& operator=(const Vector& other) {
    word = other.word;
    return *this;
  }
};

/// One row in the device's memory, not in a block's; it owns nothing. A column must be one that the
/// row has.
template <class T>
struct Row {
  T* data;
  int64_t step;  // elements

  template <int width>
  __device__ Vector<T, width> load(int column) const {
    Vector<T, width> vector;
    vector.word = *word<width>(column);
    return vector;
  }
  /// The same for what the block does not read again: it takes no room in its first cache, where a
  /// device can be told so.
  template <int width>
  __device__ Vector<T, width> load_once(int column) const {
    Vector<T, width> vector;
    vector.word = load_word_once(word<width>(column));
    return vector;
  }
  template <int width>
  __device__ void store(int column, const Vector<T, width>& vector) const {
    store_word(word<width>(column), vector.word);
  }
  /// Begins to bring the column to a cache that all blocks share, where a device can be told so.
  __device__ void prefetch(int column) const {
#ifdef __CUDACC__
    asm volatile("prefetch.global.L2 [%0];" ::"l"(data + column * step));
#else
    (void)column;
#endif
  }
  /// True where vectors of `width` elements are aligned.
  template <int width>
  __device__ bool has_vectors() const {
    return width == 1 || (step == 1 && reinterpret_cast<uint64_t>(data) % (sizeof(T) * width) == 0);
  }

 private:
  template <int width>
  __device__ auto word(int column) const {
    const int64_t at = width == 1 ? column * step : column;
    return reinterpret_cast<typename Word<sizeof(T) * width>::type*>(data + at);
  }
};

/// The elements of a tensor of one dimension from `begin` on.
template <class T>
__device__ Row<T> row_from(const Tensor<T>& tensor, int64_t begin) {
  return {tensor.data() + begin * tensor.stride(0), tensor.stride(0)};
}

/// True where vectors of `width` elements of each row of a matrix are aligned.
template <int width, class T>
__device__ bool rows_have_vectors(const Tensor<T>& matrix) {
  return matrix.stride(0) % width == 0 &&
         Row<T>{matrix.data(), matrix.stride(1)}.template has_vectors<width>();
}

/// Adds to `width` elements side by side, each atomically; all at once where a device has that and
/// the caller has shown that they are a vector.
template <int width>
__device__ void atomic_add_row(float* to, const float (&values)[width]) {
#pragma unroll
  for (int e = 0; e < width; ++e)
    atomicAdd(to + e, values[e]);
}
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
template <>
__device__ inline void atomic_add_row<4>(float* to, const float (&values)[4]) {
  atomicAdd(reinterpret_cast<float4*>(to), make_float4(values[0], values[1], values[2], values[3]));
}
#endif

/// The first column of this thread's vector `v` in the step that begins at the column `begin`:
/// neighbouring threads of the block, which has `threads`, touch neighbouring memory.
template <int threads, int width>
__device__ int column_of(int begin, int v) {
  return begin + (v * threads + static_cast<int>(threadIdx.x)) * width;
}

/// The columns of a step that a thread has, `columns` of them in vectors of `width`. `whole`: the
/// row has all of them, so that nothing is asked on the way; else those that it does not have are
/// left as they are.
template <class T, int threads, int width, int columns, bool whole>
struct Columns {
  static constexpr int vectors = columns / width;
  Vector<T, width> loaded[vectors];

  __device__ void load(Row<T> row, int begin, int cols) {
#pragma unroll
    for (int v = 0; v < vectors; ++v) {
      const int c = column_of<threads, width>(begin, v);
      if (whole || c < cols) loaded[v] = row.template load<width>(c);
    }
  }
};

/// Copies from the device's memory to a block's that take no registers: a thread goes on, and waits
/// for its own later. `bytes` are 4, 8 or 16, to which both addresses are aligned. Where a device
/// has none, nothing may ask for one by copy_ahead().
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
inline constexpr bool has_copies_ahead = true;
template <int bytes>
__device__ void copy_ahead(void* to, const void* from) {
  const auto at = static_cast<unsigned>(__cvta_generic_to_shared(to));
  if constexpr (bytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(from) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(at), "l"(from), "n"(bytes)
                 : "memory");
}
__device__ inline void wait_for_copies() {
  asm volatile("cp.async.wait_all;" ::: "memory");
}
/// What was asked for since the last call is one group.
__device__ inline void end_group_of_copies() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}
/// Waits for all groups but the newest ones.
template <int newest>
__device__ void wait_for_groups() {
  asm volatile("cp.async.wait_group %0;" ::"n"(newest) : "memory");
}
#else
inline constexpr bool has_copies_ahead = false;
template <int bytes>
__device__ void copy_ahead(void*, const void*) {}
__device__ inline void wait_for_copies() {}
__device__ inline void end_group_of_copies() {}
template <int newest>
__device__ void wait_for_groups() {}
#endif

/// True where begin_copy() needs no registers for a word on its way.
template <class Word>
constexpr bool is_copied_ahead = has_copies_ahead && sizeof(Word) >= 4;

/// Begins to copy a word from the device's memory to a block's; where a device cannot, it is copied
/// at once. After wait_for_copies() the thread that began the copy may read it, others after a
/// barrier.
template <class Word>
__device__ void begin_copy(Word* to, const Word* from) {
  if constexpr (is_copied_ahead<Word>)
    copy_ahead<sizeof(Word)>(to, from);
  else
    *to = *from;
}

/// Columns that are on their way to shared memory while the thread does something else, which takes
/// no registers. A thread takes out only what it has asked for itself, so no barrier is needed.
/// CUDA alone copies so; elsewhere the columns are loaded when they are taken.
template <class T, int threads, int width, int columns, bool whole>
class ColumnsAhead {
 public:
  using Taken = Columns<T, threads, width, columns, whole>;

  /// `memory` is shared, has threads * columns elements and is aligned as vectors are.
  __device__ explicit ColumnsAhead(T* memory) : m_memory(memory) {}

  /// One after the other: what was asked for before must have been taken.
  __device__ void ask(Row<T> row, int cols) {
    m_row = row;
    m_cols = cols;
    if constexpr (is_copied)
      for_each([&](int, int c) { copy_ahead<sizeof(Word)>(place(c), row.data + c); });
  }
  __device__ void take(Taken& to) {
    if constexpr (is_copied) {
      wait_for_copies();
      for_each([&](int v, int c) { to.loaded[v].word = *reinterpret_cast<Word*>(place(c)); });
    } else {
      to.load(m_row, 0, m_cols);
    }
  }

 private:
  using Word = typename tunecheck::Word<sizeof(T) * width>::type;
  static constexpr bool is_copied = is_copied_ahead<Word>;

  template <class Use>
  __device__ void for_each(Use use) const {
#pragma unroll
    for (int v = 0; v < columns / width; ++v) {
      const int c = column_of<threads, width>(0, v);
      if (whole || c < m_cols) use(v, c);
    }
  }
  __device__ T* place(int c) const {
    return m_memory + c;
  }

  T* m_memory;
  Row<T> m_row{nullptr, 1};
  int m_cols = 0;
};

}  // namespace tunecheck
