#include "gate/measure/pinning.hpp"

#include <fmt/format.h>

#include "core/files.hpp"

namespace tunecheck::gate {
namespace {

int last_of(const cpu_set_t& cpus) {
  int last = 0;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(static_cast<std::size_t>(cpu), &cpus)) last = cpu;
  return last;
}

}  // namespace

Pinning::Pinning() {
  if (::sched_getaffinity(0, sizeof m_before, &m_before) != 0) {
    m_text = fmt::format("processes were not pinned: {}", last_system_error());
    return;
  }
  const int cpu = last_of(m_before);
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(cpu), &one);
  m_is_pinned = ::sched_setaffinity(0, sizeof one, &one) == 0;
  m_text = m_is_pinned ? fmt::format("processes were pinned to CPU {}", cpu)
                       : fmt::format("processes were not pinned: {}", last_system_error());
}

Pinning::~Pinning() {
  if (m_is_pinned) (void)::sched_setaffinity(0, sizeof m_before, &m_before);
}

}  // namespace tunecheck::gate
