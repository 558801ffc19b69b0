#pragma once
// Launches counted instead of recorded: the lines of a burst of a million calls would take 350 MB.
// The judge switches it on and off in a file that the probe maps.
#include <cstdint>
#include <filesystem>

#include "core/result.hpp"

namespace tunecheck {

/// Which launches are counted and not recorded.
enum class Counted : std::uint64_t {
  none,
  all,     ///< those of a burst of calls
  trials,  ///< those of any process but the adapter's own
};

/// The content of the file, in the machine's own byte order. The probe changes it with atomic
/// additions, the judge with writes while no launch runs.
struct LaunchCounts {
  Counted counting = Counted::none;  ///< the other launches are recorded as lines
  std::uint64_t process = 0;         ///< the adapter's own
  std::uint64_t launches = 0;        ///< begun in that process
  std::uint64_t trial_launches = 0;  ///< begun in any other one that it started
  std::uint64_t ended = 0;           ///< launches of `launches` that came back
  std::uint64_t failed = 0;          ///< those of them with another status than 0
  std::uint64_t elapsed_ns = 0;      ///< their time in the kernel, together
};

/// Makes the file, with counting off. To be done before the process starts that maps it.
[[nodiscard]] Result<void> make_launch_counts(const std::filesystem::path& file);
/// All counts to 0, and counting on. `process` is the adapter's own.
[[nodiscard]] Result<void> start_counting(const std::filesystem::path& file, int process,
                                          Counted counted = Counted::all);
/// Counting off; what was counted since it was on.
[[nodiscard]] Result<LaunchCounts> stop_counting(const std::filesystem::path& file);

}  // namespace tunecheck
