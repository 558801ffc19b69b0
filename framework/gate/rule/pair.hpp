#pragma once
// A pair: one fresh process of the base and, right before or after it, one of the head. The pair is
// the unit of the gate, not the sample: a process has a speed of its own (where its memory came to
// lie, which core it got), and more samples in it only measure that speed more exactly.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace tunecheck::gate {

enum class Side { base, head };

/// What a time is of: the world's, or the time in which a core worked for the process.
enum class TimeKind { wall, cpu };

/// CPU time can only speak for processes that do not wait for anything but a core. What every
/// program waits for when it starts and ends is less: this often, and this share of its CPU time.
inline constexpr std::int64_t most_waits = 10;
inline constexpr double most_waited = 0.02;

/// What a process gave.
struct ProcessRun {
  std::vector<double> samples;  ///< each positive, in any unit that is the same everywhere
  std::string failure;          ///< why there is no result, one sentence; "" where there is one
  /// CPU time of what the samples are the wall time of, as many as these, in the same unit. Empty
  /// where there is none, or where CPU time is not what the benchmark is about.
  std::vector<double> cpu_samples = {};
  /// How long its first thread neither worked nor waited for a core, as a share of its CPU time: it
  /// slept, or waited for a file, a lock, another thread or process. NaN where nobody knows.
  double waited = std::numeric_limits<double>::quiet_NaN();
  std::int64_t waits = -1;  ///< how often a thread of it waited for anything; -1: nobody knows
};

struct Pair {
  ProcessRun base, head;
};

/// The middle sample, or the mean of the two in the middle; at least one.
[[nodiscard]] double median(std::span<const double> samples);

/// ln of the head's median over the base's: 0.01 is about 1 % slower. An error names the side and
/// the sample where there is none, or one that is not a positive finite number. One sample is
/// enough: it is its own median, and the scatter that counts is that between processes.
[[nodiscard]] Result<double> log_ratio(const Pair& pair, TimeKind kind = TimeKind::wall);

/// True where base and head gave the same samples, which differ among themselves: no clock does
/// that, so that one recording was given twice.
[[nodiscard]] bool is_one_recording(const Pair& pair);

}  // namespace tunecheck::gate
