#pragma once
// The fast path: calls that have been seen before, recognised without a key.
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "backend/backend.hpp"
#include "tuner/search/effort.hpp"

namespace tunecheck::detail {

/// A winner that is ready to be launched; never changes once it is made.
struct LoadedWinner {
  const Config* config = nullptr;  ///< lives as long as the tuner
  std::unique_ptr<Module> module;
  SearchedWith searched = {};
};

/// What the key reads of a call: dtypes, shapes, stride classes, alignments, key scalars.
class CallPattern {
 public:
  /// `key_scalars` are the positions of the scalars that belong to the key.
  CallPattern(const LaunchArguments& call, const std::vector<std::size_t>& key_scalars);

  /// True where the key of `call` is the key of the call that this was made from.
  [[nodiscard]] bool matches(const LaunchArguments& call,
                             const std::vector<std::size_t>& key_scalars) const;

 private:
  std::size_t m_tensor_count;
  std::size_t m_scalar_count;
  /// Per tensor its tag, shape and strides, then the bits of the key scalars: side by side, because
  /// each line of memory that a hit reads is one that the launch before it has driven from the
  /// cache.
  boost::container::small_vector<std::int64_t, 16> m_numbers;
};

/// The winners of the patterns seen so far, up to a few; further ones take the slow path. find() is
/// wait-free and allocates nothing; all members may be called by several threads at once.
class KnownCalls {
 public:
  explicit KnownCalls(std::vector<std::size_t> key_scalars)
      : m_key_scalars(std::move(key_scalars)) {}

  [[nodiscard]] const LoadedWinner* find(const LaunchArguments& call) const noexcept {
    const std::size_t count = m_count.load(std::memory_order_acquire);
    for (std::size_t i = 0; i < count; ++i)
      if (m_known[i]->pattern.matches(call, m_key_scalars)) return m_known[i]->winner.get();
    return nullptr;
  }
  /// Keeps the winner as long as this object lives.
  void add(const LaunchArguments& call, std::shared_ptr<const LoadedWinner> winner);

 private:
  struct Known {
    CallPattern pattern;
    std::shared_ptr<const LoadedWinner> winner;
  };
  static constexpr std::size_t most = 16;

  std::atomic<std::size_t> m_count{0};
  const std::vector<std::size_t> m_key_scalars;
  std::array<std::unique_ptr<const Known>, most> m_known;
  std::mutex m_adding;
};

}  // namespace tunecheck::detail
