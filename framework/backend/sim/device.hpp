#pragma once
// The simulated device: a clock that only launches move, and the chance that disturbs them.
#include <atomic>
#include <cstdint>

namespace tunecheck::sim {

/// Shared by a backend and its modules. Any thread may use it; launches of several threads take
/// turns on the clock, in no particular order.
class Device {
 public:
  Device(std::uint64_t seed, std::uint64_t process) : m_seed(seed), m_process(process) {}

  [[nodiscard]] std::uint64_t seed() const { return m_seed; }
  [[nodiscard]] std::uint64_t process() const { return m_process; }
  [[nodiscard]] std::int64_t now_ns() const { return m_now_ns; }
  void advance(std::int64_t elapsed_ns) { m_now_ns += elapsed_ns; }
  /// A number for each load, from 0.
  [[nodiscard]] std::uint64_t next_load() { return m_loads++; }

 private:
  std::uint64_t m_seed;
  std::uint64_t m_process;
  std::atomic<std::int64_t> m_now_ns{0};
  std::atomic<std::uint64_t> m_loads{0};
};

}  // namespace tunecheck::sim
