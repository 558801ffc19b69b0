#include "core/processes/shared_time.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <thread>

namespace tunecheck {
namespace {

using Milliseconds = std::chrono::duration<double, std::milli>;

constexpr double usual_tasks_per_core = 2;
constexpr int most_stretch = 10;
constexpr auto longest_wait = std::chrono::milliseconds(500);

}  // namespace

double tasks_per_core() {
  // "0.20 0.18 0.12 3/80 11206": the fourth word has those that want to run.
  std::ifstream file("/proc/loadavg");
  double one = 0, five = 0, fifteen = 0, running = 0;
  if (!(file >> one >> five >> fifteen >> running)) return 0;
  return running / std::max(1U, std::thread::hardware_concurrency());
}

std::chrono::milliseconds SharedTimeLimit::next_wait() {
  const Clock::time_point now = m_now();
  m_used += Milliseconds(now - m_last) / std::max(1.0, m_crowding() / usual_tasks_per_core);
  m_last = now;
  const Milliseconds left = std::min<Milliseconds>(
      Milliseconds(m_limit) - m_used, Milliseconds(m_limit * most_stretch) - (now - m_began));
  if (left.count() <= 0) return std::chrono::milliseconds(0);
  return std::min(longest_wait, std::chrono::milliseconds(std::lround(std::ceil(left.count()))));
}

}  // namespace tunecheck
