#pragma once
// How many compilers run at once.
#include <cstdint>

namespace tunecheck {

/// At most `asked` (0: no such limit), and at most as many as there are cores for this process and
/// as its memory has room for, `memory_bytes_each` per compiler (0: memory is no limit). On one
/// core two may run: one of them often waits for files. Reads what is free now, with the limits of
/// the process's cgroup; what cannot be read is no limit.
[[nodiscard]] int bounded_compile_jobs(int asked, std::uint64_t memory_bytes_each);

/// The same from what the machine has.
[[nodiscard]] int compile_jobs_for(int asked, int cores, std::uint64_t free_bytes,
                                   std::uint64_t memory_bytes_each);

}  // namespace tunecheck
