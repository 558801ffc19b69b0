#pragma once
// The fast path: calls that have been seen before, recognised without a key.
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "backend/backend.hpp"
#include "tuner/nested_strides.hpp"
#include "tuner/search/effort.hpp"

namespace tunecheck::detail {

/// A winner that is ready to be launched; never changes once it is made.
struct LoadedWinner {
  const Config* config = nullptr;  ///< lives as long as the tuner
  std::unique_ptr<Module> module;
  SearchedWith searched = {};
};

/// What a hit reads of it, on one line of memory.
struct KnownWinner {
  const Config* config = nullptr;
  const Module* module = nullptr;
};

/// What the key reads of a call: dtypes, shapes, stride classes, alignments, key scalars.
class CallPattern {
 public:
  CallPattern() = default;  ///< of no call
  /// `key_scalars` are the positions of the scalars that belong to the key.
  CallPattern(const LaunchArguments& call, const std::vector<std::size_t>& key_scalars);

  /// True where the key of `call` is the key of the call that this was made from, and its arguments
  /// are in order if that call's were. Inline, like everything on a hit: code that lies elsewhere
  /// has been driven from the cache by the launch before, too.
  [[nodiscard]] bool matches(const LaunchArguments& call,
                             const std::vector<std::size_t>& key_scalars) const noexcept {
    if (call.tensors.size() != m_tensor_count || call.scalars.size() != m_scalar_count)
      return false;
    const std::int64_t* known = m_numbers.data();
    for (const TensorView& tensor : call.tensors) {
      if (tag_of(tensor) != *known++) return false;
      const Layout& layout = tensor.layout;
      const auto rank = static_cast<std::size_t>(layout.rank);
      bool has_other_strides = false;
      for (std::size_t d = 0; d < rank; ++d) {
        const std::int64_t size = known[d];
        const std::int64_t stride = known[rank + d];
        if (layout.shape[d] != size) return false;
        if (layout.strides[d] == stride) continue;
        if (stride_class(layout.strides[d], size) != stride_class(stride, size)) return false;
        has_other_strides = true;
      }
      // Whether elements of a written tensor share a place is asked where there is time.
      if (has_other_strides && !has_nested_strides(layout)) return false;
      known += 2 * rank;
    }
    for (const std::size_t i : key_scalars)
      if (bits_of(call.scalars[i]) != *known++) return false;
    return true;
  }

 private:
  std::size_t m_tensor_count = 0;
  std::size_t m_scalar_count = 0;
  /// Per tensor its tag, shape and strides, then the bits of the key scalars: side by side, because
  /// each line of memory that a hit reads is one that the launch before it has driven from the
  /// cache.
  boost::container::small_vector<std::int64_t, 16> m_numbers;

  // As stride_pattern sees it: 0, 1 or another; a dimension of one element has no stride.
  static int stride_class(std::int64_t stride, std::int64_t size) {
    if (size <= 1) return 1;
    return stride == 0 ? 0 : stride == 1 ? 1 : 2;
  }
  // What is equal where dtype, alignment and rank are.
  static std::int64_t tag_of(const TensorView& tensor) {
    return static_cast<std::int64_t>(tensor.dtype) << 8 | tensor.layout.rank << 1 |
           static_cast<int>(is_aligned_16(tensor));
  }
  static std::int64_t bits_of(const Scalar& scalar) {
    return std::bit_cast<std::int64_t>(scalar.value);
  }
};

/// The winners of the patterns seen so far, up to a few; further ones take the slow path. find() is
/// wait-free and allocates nothing; all members may be called by several threads at once.
class KnownCalls {
 public:
  explicit KnownCalls(std::vector<std::size_t> key_scalars)
      : m_key_scalars(std::move(key_scalars)) {}

  [[nodiscard]] const KnownWinner* find(const LaunchArguments& call) const noexcept {
    const std::size_t count = m_count.load(std::memory_order_acquire);
    for (const Known* known = m_known.data(); known != m_known.data() + count; ++known) {
      // The module is read next, and is elsewhere.
      const auto* const module = reinterpret_cast<const char*>(known->winner.module);
      __builtin_prefetch(module);
      __builtin_prefetch(module + cache_line);
      if (known->pattern.matches(call, m_key_scalars)) return &known->winner;
    }
    return nullptr;
  }
  /// Keeps the winner as long as this object lives.
  void add(const LaunchArguments& call, std::shared_ptr<const LoadedWinner> winner);

 private:
  static constexpr std::size_t cache_line = 64;
  struct alignas(cache_line) Known {
    KnownWinner winner;
    CallPattern pattern;
    std::shared_ptr<const LoadedWinner> keeps_alive;
  };
  static constexpr std::size_t most = 16;

  std::atomic<std::size_t> m_count{0};
  const std::vector<std::size_t> m_key_scalars;
  std::array<Known, most> m_known;  // what is below m_count never changes
  std::mutex m_adding;
};

}  // namespace tunecheck::detail
