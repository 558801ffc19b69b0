#pragma once
// Processes on one CPU: what moves from core to core finds its caches cold.
#include <sched.h>

#include "gate/measure/cpu_lease.hpp"

namespace tunecheck::gate {

/// While it lives, processes that this thread starts are pinned to the CPU of `lease`, if it has
/// one. The thread itself is back where it was when it ends; processes that were started stay.
class Pinning {
 public:
  explicit Pinning(const CpuLease& lease);
  Pinning(const Pinning&) = delete;
  Pinning& operator=(const Pinning&) = delete;
  ~Pinning();

 private:
  cpu_set_t m_before{};
  bool m_is_pinned = false;
};

}  // namespace tunecheck::gate
