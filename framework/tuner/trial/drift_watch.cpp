#include "tuner/trial/drift_watch.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tunecheck {
namespace {

// One more measurement in seventeen; spaces with fewer configs are over before a device has
// changed.
constexpr std::size_t trials_between_baselines = 16;

// Devices change less between two looks at the baseline.
bool is_far(double median_ns, double other_ns) {
  constexpr double most_change = 0.25;
  return std::abs(median_ns / other_ns - 1) > most_change;
}

}  // namespace

bool DriftWatch::is_due(std::size_t trials_since_baseline) const {
  return trials_since_baseline >= trials_between_baselines;
}

bool DriftWatch::is_jump(double median_ns) const {
  return is_far(median_ns, latest_ns());
}

void DriftWatch::saw_baseline(double at_ns, double median_ns) {
  const auto jump = std::exchange(m_jump, std::nullopt);
  if (m_points.empty() || !is_jump(median_ns)) return take({at_ns, median_ns});
  if (!jump || is_far(median_ns, jump->second)) {
    m_jump = {at_ns, median_ns};
    return;
  }
  take(*jump);
  take({at_ns, median_ns});
}

void DriftWatch::take(Point point) {
  if (m_points.size() == 1 && is_jump(point.second)) m_points.front().second = point.second;
  m_points.push_back(point);
}

double DriftWatch::slowdown(double at_ns) const {
  if (m_points.size() < 2) return 1;
  const double first_ns = m_points.front().second;
  const auto after = std::find_if(m_points.rbegin(), m_points.rend(),
                                  [&](const auto& point) { return point.first <= at_ns; });
  if (after == m_points.rend()) return 1;
  if (after == m_points.rbegin()) return m_points.back().second / first_ns;
  const auto& [from_ns, from] = *after;
  const auto& [to_ns, to] = *std::prev(after);
  const double share = (at_ns - from_ns) / (to_ns - from_ns);
  return (from + share * (to - from)) / first_ns;
}

double DriftWatch::common_change(std::vector<double> changes) const {
  if (changes.size() < 2) return 1;
  std::sort(changes.begin(), changes.end());
  const std::size_t left_out = changes.size() / 4;
  const double least = changes[left_out];
  const double most = changes[changes.size() - 1 - left_out];
  return least > 1 ? least : most < 1 ? most : 1;
}

}  // namespace tunecheck
