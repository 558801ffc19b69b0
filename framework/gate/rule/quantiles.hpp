#pragma once
// Quantiles and tails of two distributions.

namespace tunecheck::gate {

/// What a number of mean 0 and deviation 1 is below with this probability, which is neither 0
/// nor 1.
[[nodiscard]] double normal_quantile(double probability);
/// The probability that such a number is above `value`.
[[nodiscard]] double normal_tail(double value);
/// As normal_quantile, of Student's distribution.
[[nodiscard]] double student_quantile(double degrees_of_freedom, double probability);

}  // namespace tunecheck::gate
