#pragma once
// The clock of all evidence, one for all processes of a machine.
#include <cstdint>
#include <ctime>

namespace tunecheck {

/// CLOCK_MONOTONIC in nanoseconds: a correction of the machine's clock, by NTP or by a tuner, moves
/// no event.
inline std::int64_t evidence_now_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

}  // namespace tunecheck
