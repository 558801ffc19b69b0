#pragma once
// Where a sequence of values changed: E-divisive (Matteson and James, A nonparametric approach for
// multiple change point analysis of multivariate data, JASA 2014), as Daly and others use it for
// the histories of benchmarks (The use of change point detection to identify software performance
// regressions in a continuous integration system, ICPE 2020).
//
// The split of a sequence whose two sides are farthest apart by their energy distance is a change
// where shuffled values hardly ever come as far apart. Then each side is split in turn, all sides
// together in one test, until no split is significant. Last, each change is put where the values on
// either side are nearest to that side's median. Distances are those of ranks, so that an
// outlier counts no more than any other large value, and are divided by the number of ranks, so
// that a short part of a history is judged as if it stood alone. No assumption but that without a
// change the values could as well have come in any other order: drift is a change.
//
// Discarded, because changes were found no better on labelled histories: ranks summed instead of
// their distances, splits of windows besides those of whole parts, shuffles of several values in a
// row, and a straight line that is preferred to a step if it fits better.
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tunecheck::history {

struct ChangePointOptions {
  /// The chance to find any change in values without one; between 0 and 1.
  double level = 0.01;
  std::uint64_t seed = 1;  ///< of the shuffles; the same one finds the same
};

/// The fewest values between two changes: one or two are outliers.
inline constexpr std::size_t least_between_changes = 3;

struct ChangePoint {
  std::size_t at = 0;  ///< the first value after the change
  double p = 1;        ///< how often shuffled values are as far apart, at most
};

/// The changes in the order of the values, which are finite. Safe to call from several threads.
[[nodiscard]] std::vector<ChangePoint> change_points(std::span<const double> values,
                                                     const ChangePointOptions& options);

/// Whether there are any, which is known sooner.
[[nodiscard]] bool has_change(std::span<const double> values, const ChangePointOptions& options);

/// Whether so many values can show a change at this level, however large it is.
[[nodiscard]] bool can_show_a_change(std::size_t values, double level);

/// The least number of values that can.
[[nodiscard]] std::size_t least_values(double level);

}  // namespace tunecheck::history
