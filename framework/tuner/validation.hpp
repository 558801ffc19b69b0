#pragma once
// Whether what a trial left behind may be believed.
#include <optional>
#include <string>

#include "core/compare.hpp"
#include "tuner/request.hpp"
#include "tuner/trial_arguments.hpp"

namespace tunecheck {

/// Seam. Runs in the tuner's process after each trial; one instance serves all tunings.
class Validation {
 public:
  virtual ~Validation() = default;

  /// "" where the trial stayed within its tensors, left read-only tensors alone, wrote every output
  /// and computed what is expected; else what it did. Without an expectation the result itself is
  /// not judged.
  [[nodiscard]] virtual std::string check(const TrialArguments& arguments,
                                          const std::optional<ExpectedTensors>& expected,
                                          const Tolerances& tolerances) const;

  /// The result of the trial that has just been run, as the expectation for the next ones.
  [[nodiscard]] virtual ExpectedTensors result_of(const TrialArguments& arguments) const;

  /// Elements of tensor `index` that nobody has written since before_trial(). An integer that is
  /// rightly the poison pattern counts too; see the .cpp for u8.
  [[nodiscard]] static std::int64_t unwritten_elements(const TrialArguments& arguments,
                                                       std::size_t index);
};

}  // namespace tunecheck
