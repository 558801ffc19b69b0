#pragma once
// Launches counted instead of recorded: the lines of a burst of a million calls would take 350 MB.
// The judge switches it on and off in a file that the probe maps.
#include <cstdint>
#include <filesystem>

#include "core/result.hpp"

namespace tunecheck {

/// The content of the file, in the machine's own byte order. The probe changes it with atomic
/// additions, the judge with writes while no launch runs.
struct LaunchCounts {
  std::uint64_t counting = 0;        ///< 1: launches are counted; 0: they are recorded as lines
  std::uint64_t process = 0;         ///< the adapter's own
  std::uint64_t launches = 0;        ///< begun in that process
  std::uint64_t trial_launches = 0;  ///< begun in any other one that it started
  std::uint64_t ended = 0;           ///< launches of `launches` that came back
  std::uint64_t failed = 0;          ///< those of them with another status than 0
  std::uint64_t elapsed_ns = 0;      ///< their time in the kernel, together
};

/// Makes the file, with counting off. To be done before the process starts that maps it.
[[nodiscard]] Result<void> make_launch_counts(const std::filesystem::path& file);
/// All counts to 0, and counting on.
[[nodiscard]] Result<void> start_counting(const std::filesystem::path& file, int process);
/// Counting off; what was counted since it was on.
[[nodiscard]] Result<LaunchCounts> stop_counting(const std::filesystem::path& file);

}  // namespace tunecheck
