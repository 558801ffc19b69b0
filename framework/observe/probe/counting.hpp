#pragma once
// The probe's side of launch_counts.hpp: nothing here allocates, locks or fails.
#include <cstdint>

namespace tunecheck::probe {

/// Maps the file; without it nothing is ever counted. Once, at load.
void map_counts(const char* file) noexcept;

/// True where launches of this process are to be counted and not recorded.
[[nodiscard]] bool counting(std::uint64_t process) noexcept;

/// True where only trials are counted, and this is the first launch of `entry` in this process. It
/// says what was tried, and is the one that no tuner times, because it is slow anyway.
[[nodiscard]] bool is_first_of_trial(std::uint64_t process, const void* entry) noexcept;

/// A launch of this process begins; one of them has ended.
void count_begin(std::uint64_t process) noexcept;
void count_end(std::uint64_t process, int status, std::int64_t elapsed_ns) noexcept;

}  // namespace tunecheck::probe
