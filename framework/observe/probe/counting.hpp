#pragma once
// The probe's side of launch_counts.hpp: nothing here allocates, locks or fails.
#include <cstdint>

namespace tunecheck::probe {

/// Maps the file; without it nothing is ever counted. Once, at load.
void map_counts(const char* file) noexcept;

/// True where launches of this process are to be counted and not recorded.
[[nodiscard]] bool counting(std::uint64_t process) noexcept;

/// A launch of this process begins; one of them has ended.
void count_begin(std::uint64_t process) noexcept;
void count_end(std::uint64_t process, int status, std::int64_t elapsed_ns) noexcept;

}  // namespace tunecheck::probe
