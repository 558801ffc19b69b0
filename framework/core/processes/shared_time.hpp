#pragma once
// Time limits on a machine that others use too.
#include <chrono>
#include <functional>

namespace tunecheck {

/// How many tasks of the whole machine want to run on each of its cores; 0 where the system does
/// not say.
[[nodiscard]] double tasks_per_core();

/// A time limit that passes more slowly while the machine has more work than cores: what takes one
/// second alone takes many there, and is not slower itself. Up to two tasks per core count as
/// nothing to speak of, and no wait lasts longer than ten times the limit. One thread.
class SharedTimeLimit {
 public:
  using Clock = std::chrono::steady_clock;

  explicit SharedTimeLimit(
      std::chrono::milliseconds limit, std::function<double()> crowding = tasks_per_core,
      std::function<Clock::time_point()> now = [] { return Clock::now(); })
      : m_limit(limit),
        m_crowding(std::move(crowding)),
        m_now(std::move(now)),
        m_began(m_now()),
        m_last(m_began) {}

  /// For how long to wait before it is asked again; 0 once the limit has passed. To be asked at
  /// least every few seconds: what passed in between is taken for as crowded as it is now.
  [[nodiscard]] std::chrono::milliseconds next_wait();

 private:
  std::chrono::milliseconds m_limit;
  std::function<double()> m_crowding;
  std::function<Clock::time_point()> m_now;
  Clock::time_point m_began, m_last;
  std::chrono::duration<double, std::milli> m_used{0};  ///< as if the machine had been alone
};

}  // namespace tunecheck
