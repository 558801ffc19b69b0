#pragma once
// A pair: one fresh process of the base and, right before or after it, one of the head. The pair is
// the unit of the gate, not the sample: a process has a speed of its own (where its memory came to
// lie, which core it got), and more samples in it only measure that speed more exactly.
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace tunecheck::gate {

enum class Side { base, head };

/// What a process gave.
struct ProcessRun {
  std::vector<double> samples;  ///< each positive, in any unit that is the same everywhere
  std::string failure;          ///< why there is no result, one sentence; "" where there is one
};

struct Pair {
  ProcessRun base, head;
};

/// The middle sample, or the mean of the two in the middle; at least one.
[[nodiscard]] double median(std::span<const double> samples);

/// ln of the head's median over the base's: 0.01 is about 1 % slower. An error names the side and
/// the sample where there is none, or one that is not a positive finite number. One sample is
/// enough: it is its own median, and the scatter that counts is that between processes.
[[nodiscard]] Result<double> log_ratio(const Pair& pair);

/// True where base and head gave the same samples, which differ among themselves: no clock does
/// that, so that one recording was given twice.
[[nodiscard]] bool is_one_recording(const Pair& pair);

}  // namespace tunecheck::gate
