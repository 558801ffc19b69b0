#pragma once
// Whether what a trial left behind may be believed.
#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "core/compare.hpp"
#include "tuner/request.hpp"
#include "tuner/trial/trial_arguments.hpp"

namespace tunecheck {

/// What trials must leave behind: what a reference says, or what another trial left.
class ExpectedResults {
 public:
  explicit ExpectedResults(ExpectedTensors values) : m_values(std::move(values)) {}
  /// A copy of the results of a trial.
  [[nodiscard]] static Result<ExpectedResults> of_results(const TrialArguments& arguments);

  [[nodiscard]] Comparison compare(const TrialArguments& arguments, std::size_t index,
                                   const Tolerance& tolerance) const;

 private:
  ExpectedResults() = default;
  ExpectedTensors m_values;
  std::vector<MemoryBlock> m_results;  // packed, one a tensor; used where there are no values
};

/// Seam. Runs in the tuner's process after each trial; one instance serves all tunings.
class Validation {
 public:
  virtual ~Validation() = default;

  /// "" where the trial stayed within its tensors, left read-only tensors alone, wrote every output
  /// and computed what is expected; else what it did. Without an expectation the result itself is
  /// not judged.
  [[nodiscard]] virtual std::string check(const TrialArguments& arguments,
                                          const std::optional<ExpectedResults>& expected,
                                          const Tolerances& tolerances) const;

  /// The result of the trial that has just been run, as the expectation for the next ones.
  [[nodiscard]] virtual Result<ExpectedResults> result_of(const TrialArguments& arguments) const;

  /// Elements of tensor `index` that nobody has written since before_trial(). An integer that is
  /// rightly the poison pattern counts too; see the .cpp for u8.
  [[nodiscard]] static std::int64_t unwritten_elements(const TrialArguments& arguments,
                                                       std::size_t index);
};

/// The place of the largest number, and the first of several: without a reference, what most
/// configs computed is right, and in a tie what the first one did, which is the default config's if
/// that works. `votes` has at least one element.
[[nodiscard]] std::size_t most_votes(std::span<const std::size_t> votes);

}  // namespace tunecheck
