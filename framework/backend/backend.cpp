#include "backend/backend.hpp"

#include <optional>

#include "core/in_parallel.hpp"

namespace tunecheck {

std::vector<Result<Artifact>> Backend::compile_all(std::span<const CompileRequest> requests,
                                                   int jobs, const OnCompiled& done) const {
  std::vector<std::optional<Result<Artifact>>> slots(requests.size());
  in_parallel(requests.size(), worker_count(jobs), [&](std::size_t at) {
    slots[at] = compile(requests[at]);
    if (done) done(at, *slots[at]);
  });
  std::vector<Result<Artifact>> results;
  results.reserve(slots.size());
  for (auto& slot : slots)
    results.push_back(std::move(slot).value());
  return results;
}

std::string Backend::describe(LaunchStatus status) const {
  constexpr LaunchStatus out_of_resources = 701;
  return fmt::format("status {}{}", status, status == out_of_resources ? ": out of resources" : "");
}

}  // namespace tunecheck
