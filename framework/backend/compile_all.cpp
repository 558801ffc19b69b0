#include "backend/compile_all.hpp"

#include <algorithm>
#include <atomic>
#include <future>
#include <optional>
#include <thread>

namespace tunecheck {

std::vector<Result<Artifact>> compile_all(const Backend& backend,
                                          std::span<const CompileRequest> requests, int jobs) {
  std::vector<std::optional<Result<Artifact>>> slots(requests.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t at = next++; at < requests.size(); at = next++)
      slots[at] = backend.compile(requests[at]);
  };
  const std::size_t wanted =
      jobs > 0 ? static_cast<std::size_t>(jobs) : std::max(1U, std::thread::hardware_concurrency());
  const std::size_t count = std::min(wanted, requests.size());
  {
    // The caller's thread is one of the workers; a future hands on what another one throws.
    std::vector<std::future<void>> helpers;
    for (std::size_t i = 1; i < count; ++i)
      helpers.push_back(std::async(std::launch::async, work));
    work();
    for (std::future<void>& helper : helpers)
      helper.get();
  }
  std::vector<Result<Artifact>> results;
  results.reserve(slots.size());
  for (auto& slot : slots)
    results.push_back(std::move(slot).value());
  return results;
}

}  // namespace tunecheck
