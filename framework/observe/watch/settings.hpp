#pragma once
// What the observers of `tunecheck watch` are told by their environment; docs/evidence.md has the
// list.
#include <cstdint>
#include <optional>
#include <string>

namespace tunecheck::watch {

inline constexpr const char* evidence_variable = "TUNECHECK_WATCH_EVIDENCE";
inline constexpr const char* at_most_variable = "TUNECHECK_WATCH_AT_MOST";

struct Settings {
  std::string evidence;       ///< file or socket
  std::uint64_t at_most = 0;  ///< bytes of one launch's arguments that are looked at; 0: none
};

/// From the environment; nothing where the observer is to be inert.
[[nodiscard]] std::optional<Settings> read_settings();

/// RANK, or what stands for it with other launchers; "" without.
[[nodiscard]] std::string rank_of_process();
/// The file of this process's program.
[[nodiscard]] std::string program_of_process();

/// The name of a function of the observer that each process loads: it takes a function that is to
/// be called when the process ends by _exit(), where no destructor runs.
inline constexpr const char* at_exit_function = "tunecheck_watch_at_exit";
using AtExit = void (*)();
/// Another one: how often the calling thread has read a clock.
inline constexpr const char* clock_reads_function = "tunecheck_watch_clock_reads";
using CountClockReads = std::uint64_t (*)();
/// And a third: it takes a function that is told of each block of a device's memory that PyTorch's
/// allocator hands out or takes back. The calling thread holds a lock of that allocator.
inline constexpr const char* device_blocks_function = "tunecheck_watch_device_blocks";
struct DeviceBlock {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;  ///< 0 where it is freed
  int device = 0;           ///< its number
  bool is_exact = false;    ///< it is no larger than what was asked for
  bool is_freed = false;    ///< what was given to the device before may still use it
};
using SeeBlock = void (*)(const DeviceBlock& block);
using ObserveBlocks = void (*)(SeeBlock see);

/// Appends a line to the evidence. What cannot be told is lost: the program goes on.
void tell(const Settings& settings, const std::string& line);

}  // namespace tunecheck::watch
