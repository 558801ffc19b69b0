#pragma once
// Where the middle of paired differences lies, after Wilcoxon, and Hodges and Lehmann: no
// assumption but that they are symmetric around it. They are where each pair's order was drawn by
// lot and both sides are equal.
//
// Everything rests on the Walsh averages, (d[i] + d[j]) / 2 for i <= j: n (n + 1) / 2 of n
// differences. Their median is the estimate; how many are above a value is the signed-rank
// statistic of that value. Zeros and ties stay in: an average that equals a value is not above it,
// nor below, so that p-values are never too small and bounds never too narrow.
//
// Safe to call from several threads.
#include <cstddef>
#include <limits>
#include <span>

namespace tunecheck::gate {

/// The probability that the statistic of `differences` symmetric differences without ties is at
/// most `statistic`. Exact for every number of differences; the table of a number is made once.
[[nodiscard]] double signed_rank_at_most(std::size_t differences, std::size_t statistic);

/// How many of the lowest Walsh averages a lower bound of this level leaves out, and the level that
/// it really has, which is at most `alpha`; 0 and 0 where there are too few differences for any
/// bound.
struct BoundRank {
  std::size_t left_out = 0;
  double alpha = 0;
};
[[nodiscard]] BoundRank bound_rank(std::size_t differences, double alpha);

/// The Hodges-Lehmann estimate and a bound on each side; infinite where there are too few
/// differences.
struct Location {
  double estimate = 0;
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
};
/// Each bound is wrong with a probability of at most its alpha, which is below 0.5. `differences`
/// are finite, and at least one.
[[nodiscard]] Location locate(std::span<const double> differences, double lower_alpha,
                              double upper_alpha);

/// The one-sided p-values of "the middle is at most `value`" and "at least `value`". The first is
/// at most alpha exactly where locate()'s lower bound is above `value`.
[[nodiscard]] double p_above(std::span<const double> differences, double value);
[[nodiscard]] double p_below(std::span<const double> differences, double value);

inline constexpr std::size_t least_pairs_for_an_error = 7;
/// The standard error of the estimate as far as the differences' own scatter tells: from the width
/// of the interval between bounds of 1 %, so that heavy tails count as much as in a bound. Of
/// normal numbers it is right for 30, and a sixth too large for 10. At least as many differences as
/// above; 0 where all are equal.
[[nodiscard]] double standard_error(std::span<const double> differences);

}  // namespace tunecheck::gate
