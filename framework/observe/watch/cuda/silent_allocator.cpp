#include "observe/watch/cuda/silent_allocator.hpp"

namespace tunecheck::watch {
namespace {

// A look at the calls that are under way takes longer than the rest.
constexpr int most_asked = 256;

}  // namespace

void SilentAllocator::note_allocation() {
  if (m_state.load(std::memory_order_relaxed) != State::unknown) return;
  if (m_asked.fetch_add(1, std::memory_order_relaxed) >= most_asked || !m_is_torch()) return;
  State before = State::unknown;
  m_state.compare_exchange_strong(before, State::is_used);
}

bool SilentAllocator::is_to_be_told() {
  if (m_state.load(std::memory_order_relaxed) != State::is_used) return false;
  State before = State::is_used;
  return m_state.compare_exchange_strong(before, State::is_told);
}

}  // namespace tunecheck::watch
