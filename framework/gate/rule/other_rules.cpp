#include "gate/rule/other_rules.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "gate/rule/pair.hpp"
#include "gate/rule/quantiles.hpp"
#include "gate/rule/rank_sum.hpp"

namespace tunecheck::gate {
namespace {

double mean(Samples samples) {
  return std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
}

double variance(Samples samples) {
  const double middle = mean(samples);
  double sum = 0;
  for (const double sample : samples)
    sum += (sample - middle) * (sample - middle);
  return sum / static_cast<double>(samples.size() - 1);
}

// Mann and Whitney's U: how many pairs of a first and a second sample have the first one larger,
// ties as halves; and the sum of t^3 - t over groups of t equal samples.
struct RankSum {
  double u = 0;
  double ties = 0;
};

RankSum rank_sum(Samples first, Samples second) {
  std::vector<std::pair<double, bool>> all;  // and whether it is of the first
  for (const double sample : first)
    all.emplace_back(sample, true);
  for (const double sample : second)
    all.emplace_back(sample, false);
  std::sort(all.begin(), all.end());
  RankSum result;
  double below = 0;  // of the second
  for (std::size_t i = 0; i < all.size();) {
    double of_first = 0, of_second = 0;
    const double value = all[i].first;
    for (; i < all.size() && all[i].first == value; ++i)
      (all[i].second ? of_first : of_second) += 1;
    result.u += of_first * (below + of_second / 2);
    below += of_second;
    const double tied = of_first + of_second;
    result.ties += tied * tied * tied - tied;
  }
  return result;
}

bool median_is_above(Samples head, Samples base) {
  return median(head) > median(base);
}

}  // namespace

double exact_mann_whitney(Samples first, Samples second) {
  const double u = rank_sum(first, second).u;
  const double pairs = static_cast<double>(first.size() * second.size());
  const auto smaller = static_cast<std::size_t>(std::min(u, pairs - u));
  return std::min(1.0, 2 * rank_sum_at_most(first.size(), second.size(), smaller));
}

double mann_whitney(Samples first, Samples second) {
  const double n = static_cast<double>(first.size()), m = static_cast<double>(second.size());
  const RankSum sum = rank_sum(first, second);
  if (sum.ties == 0 && std::min(first.size(), second.size()) <= 8)
    return exact_mann_whitney(first, second);
  const double all = n + m;
  const double deviation = std::sqrt(n * m / 12 * (all + 1 - sum.ties / (all * (all - 1))));
  const double distance = std::max(sum.u, n * m - sum.u) - n * m / 2 - 0.5;
  return deviation == 0 ? 1 : std::min(1.0, 2 * normal_tail(distance / deviation));
}

bool mean_ratio_is_slower(Samples base, Samples head) {
  return mean(head) / mean(base) > 1.05;
}

bool compare_py_is_slower(Samples base, Samples head) {
  return mann_whitney(base, head) < 0.05 && median_is_above(head, base);
}

bool benchstat_is_slower(Samples base, Samples head) {
  const bool has_ties = rank_sum(base, head).ties > 0;
  const double p = has_ties ? mann_whitney(base, head) : exact_mann_whitney(base, head);
  return p <= 0.05 && median_is_above(head, base);
}

bool nvbench_legacy_is_slower(Samples base, Samples head) {
  const double before = mean(base), after = mean(head);
  const double noise =
      std::min(std::sqrt(variance(base)) / before, std::sqrt(variance(head)) / after);
  return (after - before) / before > noise;
}

bool nvbench_robust_is_slower(Samples base, Samples head) {
  std::vector<double> sorted(base.begin(), base.end());
  std::sort(sorted.begin(), sorted.end());
  const double third_quartile = sorted[(75 * (sorted.size() - 1) + 50) / 100];
  const double least = *std::min_element(head.begin(), head.end());
  return (least - third_quartile) / third_quartile >= 0.005;
}

bool criterion_is_slower(Samples base, Samples head) {
  const double before = mean(base), after = mean(head);
  // The variances of the two means.
  const double of_before = variance(base) / static_cast<double>(base.size());
  const double of_after = variance(head) / static_cast<double>(head.size());
  const double t = (after - before) / std::sqrt(of_before + of_after);
  if (2 * normal_tail(std::abs(t)) >= 0.05) return false;
  const double ratio = after / before;
  const double deviation =
      ratio * std::sqrt(of_before / (before * before) + of_after / (after * after));
  return ratio - 1 - normal_quantile(0.975) * deviation > 0.01;
}

std::span<const OtherRule> other_rules() {
  static constexpr std::array<OtherRule, 6> rules = {{
      {"mean ratio above 5 %", 10, mean_ratio_is_slower},
      {"Google Benchmark compare.py", 10, compare_py_is_slower},
      {"benchstat", 10, benchstat_is_slower},
      {"nvbench, legacy", 100, nvbench_legacy_is_slower},
      {"nvbench, robust", 100, nvbench_robust_is_slower},
      {"criterion", 100, criterion_is_slower},
  }};
  return rules;
}

}  // namespace tunecheck::gate
