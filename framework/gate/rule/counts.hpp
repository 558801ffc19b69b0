#pragma once
// What is counted, not timed: compiles of a warm start, trials, artifacts. Nothing is left to
// chance there, so that one more is a regression, whatever the clock says.
#include <cstdint>
#include <span>
#include <string>

#include "gate/rule/answer.hpp"

namespace tunecheck::gate {

struct CountFinding {
  Answer answer = Answer::invalid;
  std::string reason;  ///< one sentence
};

/// One count of each process of the base and of the head. Where the processes of a side do not
/// agree, the answer is inconclusive unless even the closest two of base and head differ in the
/// same direction. Invalid where a side has no process, or a count is negative.
[[nodiscard]] CountFinding compare_counts(std::span<const std::int64_t> base,
                                          std::span<const std::int64_t> head);

}  // namespace tunecheck::gate
