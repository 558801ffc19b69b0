#pragma once
// What a running process uses, as the system tells it: never by the process's own word.
#include <cstdint>

#include "core/result.hpp"

namespace tunecheck {

struct ProcessUse {
  std::int64_t cpu_ns = 0;        ///< user and system time of all its threads since its start
  std::int64_t resident_kib = 0;  ///< memory at this moment
  /// For how long its first thread could have run and got no processor (/proc/PID/schedstat); 0
  /// where the kernel has no CONFIG_SCHED_INFO.
  std::int64_t waited_ns = 0;
};

[[nodiscard]] Result<ProcessUse> process_use(int process);

/// True where any of its threads has a child that lives; false where the system does not say.
[[nodiscard]] bool has_children(int process);

}  // namespace tunecheck
