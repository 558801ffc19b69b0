#include "core/in_parallel.hpp"

#include <algorithm>
#include <atomic>
#include <future>
#include <sched.h>
#include <thread>

namespace tunecheck {

std::vector<int> allowed_cpus() {
  cpu_set_t set;
  std::vector<int> cpus;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(static_cast<std::size_t>(cpu), &set)) cpus.push_back(cpu);
  return cpus;
}

// What the library counts are the machine's CPUs, of which this process may have a few.
std::size_t worker_count(int jobs) {
  if (jobs > 0) return static_cast<std::size_t>(jobs);
  const std::size_t allowed = allowed_cpus().size();
  return allowed > 0 ? allowed : std::max(1U, std::thread::hardware_concurrency());
}

void in_parallel(std::size_t count, std::size_t workers,
                 const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  const auto take = [&] {
    for (std::size_t at = next++; at < count; at = next++)
      work(at);
  };
  // A future hands on what another thread throws.
  std::vector<std::future<void>> helpers;
  for (std::size_t i = 1; i < std::min(workers, count); ++i)
    helpers.push_back(std::async(std::launch::async, take));
  take();
  for (std::future<void>& helper : helpers)
    helper.get();
}

}  // namespace tunecheck
