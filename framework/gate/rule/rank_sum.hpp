#pragma once
// How far the middle of some numbers lies from that of others that have nothing to do with them,
// after Mann and Whitney, and Hodges and Lehmann: no assumption but that the two are spread alike
// and one of them is moved.
//
// Everything rests on the differences of every number of one side to every number of the other.
// Their median is the estimate; how many are above a value is Mann and Whitney's statistic of that
// value. Ties stay in: bounds are never too narrow for them.
//
// Safe to call from several threads.
#include <cstddef>
#include <span>

#include "gate/rule/signed_rank.hpp"

namespace tunecheck::gate {

/// The probability that of all pairs of one of `first` and one of `second` numbers, all drawn alike
/// and without ties, at most `statistic` have the first one larger. Exact; the table of two numbers
/// is made once, in a time that grows with the square of their product.
[[nodiscard]] double rank_sum_at_most(std::size_t first, std::size_t second, std::size_t statistic);

/// By how much `present` is above `before`, with a bound on each side; infinite where there are too
/// few numbers. Each bound is wrong with a probability of at most its alpha, which is below 0.5.
/// Numbers are finite, and at least one of each. Where a side has more than 100, the distribution
/// is taken as normal.
[[nodiscard]] Location locate_shift(std::span<const double> before, std::span<const double> present,
                                    double lower_alpha, double upper_alpha);

}  // namespace tunecheck::gate
