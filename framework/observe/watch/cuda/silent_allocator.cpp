#include "observe/watch/cuda/silent_allocator.hpp"

namespace tunecheck::watch {
namespace {

// A look at the calls that are under way takes longer than the rest.
constexpr int most_asked = 256;
// Another thread may be about to tell of the first block.
constexpr std::int64_t patience_ns = 100'000'000;

}  // namespace

void SilentAllocator::note_allocation(std::int64_t now_ns) {
  if (m_state.load(std::memory_order_relaxed) != State::unknown) return;
  if (m_asked.fetch_add(1, std::memory_order_relaxed) >= most_asked || !m_is_torch()) return;
  m_since_ns.store(now_ns, std::memory_order_relaxed);
  State before = State::unknown;
  m_state.compare_exchange_strong(before, State::is_used);
}

bool SilentAllocator::is_to_be_told(std::int64_t now_ns) {
  if (m_state.load(std::memory_order_relaxed) != State::is_used) return false;
  if (now_ns - m_since_ns.load(std::memory_order_relaxed) < patience_ns) return false;
  State before = State::is_used;
  return m_state.compare_exchange_strong(before, State::is_told);
}

}  // namespace tunecheck::watch
