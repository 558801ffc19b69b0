#pragma once
// Whether PyTorch's allocator divides memory of a device and does not tell how.
#include <atomic>
#include <cstdint>
#include <functional>
#include <utility>

namespace tunecheck::watch {

/// Another PyTorch may report no blocks, or call the function in a way in which nothing can stand
/// in for it. Any thread may call.
class SilentAllocator {
 public:
  /// `is_torch`: the calling thread comes from PyTorch's allocator.
  explicit SilentAllocator(std::function<bool()> is_torch) : m_is_torch(std::move(is_torch)) {}

  /// The calling thread has got memory from the driver. After some, nothing is asked any more.
  void note_allocation(std::int64_t now_ns);
  void note_block() { m_state.store(State::reports, std::memory_order_relaxed); }

  /// Once: PyTorch's allocator has got memory a while ago, and nothing is known of its blocks.
  [[nodiscard]] bool is_to_be_told(std::int64_t now_ns);

 private:
  enum class State { unknown, is_used, is_told, reports };
  std::function<bool()> m_is_torch;
  std::atomic<State> m_state{State::unknown};
  std::atomic<std::int64_t> m_since_ns{0};
  std::atomic<int> m_asked{0};
};

}  // namespace tunecheck::watch
