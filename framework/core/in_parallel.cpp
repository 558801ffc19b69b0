#include "core/in_parallel.hpp"

#include <algorithm>
#include <atomic>
#include <future>
#include <thread>
#include <vector>

namespace tunecheck {

std::size_t worker_count(int jobs) {
  return jobs > 0 ? static_cast<std::size_t>(jobs)
                  : std::max(1U, std::thread::hardware_concurrency());
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
