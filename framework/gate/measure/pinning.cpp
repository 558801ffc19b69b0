#include "gate/measure/pinning.hpp"

namespace tunecheck::gate {

Pinning::Pinning(const CpuLease& lease) {
  if (!lease.has_cpu() || ::sched_getaffinity(0, sizeof m_before, &m_before) != 0) return;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(lease.cpu()), &one);
  m_is_pinned = ::sched_setaffinity(0, sizeof one, &one) == 0;
}

Pinning::~Pinning() {
  if (m_is_pinned) (void)::sched_setaffinity(0, sizeof m_before, &m_before);
}

}  // namespace tunecheck::gate
