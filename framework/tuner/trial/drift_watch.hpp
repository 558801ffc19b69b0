#pragma once
// How much slower the device has become since a tuning began.
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace tunecheck {

/// A device that grows warm makes whatever is measured last look worst (pytorch#192159). So one
/// config, the baseline, is measured again from time to time, and all times are put down as what
/// they would have been when the baseline was measured first. Seam; one object a tuning, one thread
/// at a time.
class DriftWatch {
 public:
  virtual ~DriftWatch() = default;

  /// True where the baseline should be measured before a further trial.
  [[nodiscard]] virtual bool is_due(std::size_t trials_since_baseline) const;

  /// The baseline took `median_ns` at `at_ns`, by the device's clock. A jump may be something else
  /// that disturbs the device for a while: it counts from the next look on, and only if that says
  /// the same. Where it is the first look that is far from the others, that look was chance, and
  /// the second counts for both.
  void saw_baseline(double at_ns, double median_ns);
  [[nodiscard]] bool has_baseline() const { return !m_points.empty(); }
  /// True where the baseline would have changed more than a device does between two looks, so that
  /// it should be looked at once more.
  [[nodiscard]] bool is_jump(double median_ns) const;
  [[nodiscard]] double latest_ns() const { return m_points.back().second; }

  /// The factor by which everything takes longer at this time than in the beginning: between two
  /// looks at the baseline a straight line, and after the last one what it was then.
  [[nodiscard]] double slowdown(double at_ns) const;

  /// The factor by which the device has changed, by configs that were all measured again at about
  /// the same time: `changes` has what each takes now as a multiple of what it took. The part that
  /// three quarters of them agree on; 1 where some became slower and others faster, and of a single
  /// config, whose first look may have been chance.
  [[nodiscard]] virtual double common_change(std::vector<double> changes) const;

 private:
  using Point = std::pair<double, double>;  // time and median
  void take(Point point);

  std::vector<Point> m_points;  // in the order of time
  std::optional<Point> m_jump;  // the latest look, where the next one must confirm it
};

}  // namespace tunecheck
