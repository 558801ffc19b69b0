#pragma once
// Adds the time of a scope to a total.
#include <chrono>
#include <cstdint>

namespace tunecheck {

/// Adds the wall time between its construction and its end to `total_ns`, which must outlive it.
class Stopwatch {
 public:
  explicit Stopwatch(std::int64_t& total_ns) : m_total_ns(total_ns) {}
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch() {
    m_total_ns += std::chrono::nanoseconds(std::chrono::steady_clock::now() - m_started).count();
  }

 private:
  std::int64_t& m_total_ns;
  std::chrono::steady_clock::time_point m_started = std::chrono::steady_clock::now();
};

}  // namespace tunecheck
