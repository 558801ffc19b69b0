#pragma once
// Leaves a server alone for a while once it has failed several times in a row, so that a remote
// that is down costs a process a few waits and not one per call.
#include <chrono>
#include <mutex>

namespace tunecheck {

/// May be used by several threads at once. After a pause one of them may try; the others are
/// refused until that one has told how it went, or the next pause is over.
class CircuitBreaker {
 public:
  using Clock = std::chrono::steady_clock;

  CircuitBreaker(int failures_until_pause, std::chrono::milliseconds pause)
      : m_most_failures(failures_until_pause), m_pause(pause) {}

  [[nodiscard]] bool allows(Clock::time_point now) {
    const std::lock_guard lock(m_mutex);
    if (m_failures < m_most_failures) return true;
    if (now < m_closed_until) return false;
    m_closed_until = now + m_pause;
    return true;
  }

  void succeeded() {
    const std::lock_guard lock(m_mutex);
    m_failures = 0;
  }

  void failed(Clock::time_point now) {
    const std::lock_guard lock(m_mutex);
    if (++m_failures >= m_most_failures) m_closed_until = now + m_pause;
  }

 private:
  std::mutex m_mutex;
  int m_most_failures;
  std::chrono::milliseconds m_pause;
  int m_failures = 0;  // in a row
  Clock::time_point m_closed_until;
};

}  // namespace tunecheck
