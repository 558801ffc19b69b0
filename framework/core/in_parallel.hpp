#pragma once
// Doing many independent things with a few threads.
#include <cstddef>
#include <functional>
#include <vector>

namespace tunecheck {

/// The numbers of the CPUs that this process may use (taskset, a container's set of CPUs); none
/// where the system does not say.
[[nodiscard]] std::vector<int> allowed_cpus();

/// `jobs`, or the number of CPUs that this process may use where it is 0.
[[nodiscard]] std::size_t worker_count(int jobs);

/// Calls work(0) to work(count - 1), at most `workers` at a time, and returns when all are done;
/// the calling thread is one of the workers. What a call throws is thrown on, after the others have
/// ended.
void in_parallel(std::size_t count, std::size_t workers,
                 const std::function<void(std::size_t)>& work);

}  // namespace tunecheck
