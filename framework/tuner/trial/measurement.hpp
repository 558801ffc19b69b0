#pragma once
// How one config is timed.
#include <array>
#include <chrono>
#include <cstdint>
#include <span>

#include "backend/backend.hpp"
#include "tuner/trial/trial_arguments.hpp"

namespace tunecheck {

/// What a trial leaves for the tuner, in memory that both share; plain data, written while the
/// trial runs so that it says how far a killed one came.
struct TrialRecord {
  static constexpr std::size_t max_samples = 1000;
  static constexpr std::size_t max_message = 400;

  std::int32_t progress = 0;  ///< grows whenever something has been done
  bool finished = false;      ///< a trial in a process of its own came to its end by itself
  bool loaded = false;
  LaunchStatus status = 0;   ///< of the first launch that was refused
  std::int32_t samples = 0;  ///< timed reps
  /// Timed reps that something else interrupted; their times are at the end of elapsed_ns.
  std::int32_t interrupted = 0;
  std::int64_t began_ns = 0;  ///< by the device's clock, as is the end; 0 where it has none
  std::int64_t ended_ns = 0;
  std::int64_t flush_ns = 0;  ///< what making the caches cold took, of all reps together
  std::array<std::int64_t, max_samples> elapsed_ns{};
  std::array<char, max_message> message{};  ///< why it could not be loaded, "" if it could

  void set_message(std::string_view text);
};

/// The median of some samples with its 95 % interval, from order statistics.
struct MedianEstimate {
  double median_ns = 0;
  double low_ns = 0;
  double high_ns = 0;
};
[[nodiscard]] MedianEstimate estimate_median(std::span<const std::int64_t> elapsed_ns);

/// Seam. Runs in the trial's process; one instance serves all tunings.
class Measurement {
 public:
  virtual ~Measurement() = default;

  /// One rep: arguments put in place, then the launch; the time is the launch's alone.
  [[nodiscard]] virtual TimedLaunch run_rep(const Module& module, TrialArguments& arguments) const;

  /// A first rep that counts for nothing but its status, then timed reps until the interval of the
  /// median is within 2 % of it, or `measuring_time` is over, or the record is full. Reps that
  /// something else interrupted count only where there are few others after four times that time: a
  /// slow kernel on a busy core is always interrupted.
  virtual void measure(const Module& module, TrialArguments& arguments,
                       std::chrono::nanoseconds measuring_time, TrialRecord& record) const;

 private:
  void time_reps(const Module& module, TrialArguments& arguments,
                 std::chrono::nanoseconds measuring_time, TrialRecord& record) const;
};

}  // namespace tunecheck
