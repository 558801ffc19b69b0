#include "gate/rule/other_rules.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <gtest/gtest.h>

#include "random_pairs.hpp"

namespace tunecheck::test {
namespace {

using namespace gate;

std::vector<double> around(double middle, double deviation, std::size_t count, std::uint64_t seed) {
  std::vector<double> samples = normal_numbers(count, seed);
  for (double& sample : samples)
    sample = middle * (1 + deviation * sample);
  return samples;
}

// All ways to choose which of the samples are of the first side.
double counted_p(const std::vector<double>& first, const std::vector<double>& second) {
  std::vector<double> all = first;
  all.insert(all.end(), second.begin(), second.end());
  std::vector<bool> is_first(all.size(), false);
  std::fill(is_first.end() - static_cast<std::ptrdiff_t>(first.size()), is_first.end(), true);
  const auto statistic = [&](const std::vector<bool>& chosen) {
    double u = 0;
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t j = 0; j < all.size(); ++j)
        if (chosen[i] && !chosen[j] && all[i] > all[j]) ++u;
    return u;
  };
  std::vector<bool> observed(all.size(), false);
  std::fill_n(observed.begin(), first.size(), true);
  const double pairs = static_cast<double>(first.size() * second.size());
  const double u = std::min(statistic(observed), pairs - statistic(observed));
  double ways = 0, as_small = 0;
  do {
    ++ways;
    if (statistic(is_first) <= u) ++as_small;
  } while (std::next_permutation(is_first.begin(), is_first.end()));
  return std::min(1.0, 2 * as_small / ways);
}

TEST(MannWhitney, exact_is_what_counting_all_choices_gives) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto first = around(1, 1, 5, 2 * seed), second = around(1.5, 1, 4, 2 * seed + 1);
    EXPECT_NEAR(exact_mann_whitney(first, second), counted_p(first, second), 1e-12);
    EXPECT_NEAR(mann_whitney(first, second), counted_p(first, second), 1e-12);  // few: exact
  }
}

// Known by hand: ten against ten without overlap.
TEST(MannWhitney, of_ten_against_ten_apart_is_known) {
  const std::vector<double> low = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
                            high = {11, 12, 13, 14, 15, 16, 17, 18, 19, 20};
  EXPECT_NEAR(exact_mann_whitney(low, high), 2.0 / 184756, 1e-12);
  // U = 100, mean 50, variance 175: z = 49.5 / sqrt(175) = 3.7418.
  EXPECT_NEAR(mann_whitney(low, high), 1.8267e-4, 1e-7);
}

TEST(MannWhitney, corrects_for_ties) {
  const std::vector<double> first = {1, 1, 1, 2, 2, 2, 3, 3, 3},
                            second = {2, 2, 2, 3, 3, 3, 4, 4, 4};
  // U = 63 of 81 by hand; ties of 3, 6, 6, 3: variance 81 / 12 (19 - 468 / 306).
  EXPECT_NEAR(mann_whitney(first, second),
              std::erfc(22 / std::sqrt(81.0 / 12 * (19 - 468.0 / 306)) / std::sqrt(2)), 1e-12);
}

TEST(MannWhitney, of_equal_sides_is_certain_of_nothing) {
  const std::vector<double> tied = {1, 1, 2, 2, 3}, apart = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  EXPECT_EQ(mann_whitney(tied, tied), 1);
  EXPECT_EQ(mann_whitney(apart, apart), 1);
}

TEST(OtherRules, see_what_is_plain_and_no_head_that_is_faster) {
  for (const OtherRule& rule : other_rules()) {
    const auto base = around(100, 0.005, rule.samples, 1),
               slow = around(120, 0.005, rule.samples, 2);
    EXPECT_TRUE(rule.is_slower(base, slow)) << rule.name;
    EXPECT_FALSE(rule.is_slower(slow, base)) << rule.name;
    EXPECT_FALSE(rule.is_slower(base, base)) << rule.name;
  }
}

TEST(OtherRules, decide_at_their_own_thresholds) {
  const std::vector<double> base(10, 100.0);
  EXPECT_FALSE(mean_ratio_is_slower(base, std::vector<double>(10, 104.9)));
  EXPECT_TRUE(mean_ratio_is_slower(base, std::vector<double>(10, 105.1)));
  // 1 % of noise in the quieter side.
  const std::vector<double> quiet = {99, 100, 101}, loud = {96, 101.2, 106.1};
  EXPECT_TRUE(nvbench_legacy_is_slower(quiet, loud));  // 1.1 % apart
  EXPECT_FALSE(nvbench_legacy_is_slower(quiet, std::vector<double>{96, 100.9, 105.8}));
  // The base's third quartile is its fourth of five.
  const std::vector<double> five = {10, 20, 30, 40, 1000};
  EXPECT_TRUE(nvbench_robust_is_slower(five, std::vector<double>{40.3, 50}));
  EXPECT_FALSE(nvbench_robust_is_slower(five, std::vector<double>{40.1, 50}));
}

TEST(OtherRules, of_equal_machines_alarm_as_often_as_their_level) {
  int compare_py = 0, benchstat = 0;
  constexpr int sessions = 4000;
  for (std::uint64_t session = 0; session < sessions; ++session) {
    const auto base = around(100, 0.01, 10, 2 * session),
               head = around(100, 0.01, 10, 2 * session + 1);
    compare_py += compare_py_is_slower(base, head) ? 1 : 0;
    benchstat += benchstat_is_slower(base, head) ? 1 : 0;
  }
  // Half of 5 %: in the other half the head looks faster. The exact test's levels are steps.
  EXPECT_NEAR(compare_py / double{sessions}, 0.0225, 0.008);
  EXPECT_NEAR(benchstat / double{sessions}, 0.0216, 0.008);
}

// criterion's rule with the bootstrap that it really does: both tests resample, the first from both
// sides together, the second from each side.
bool bootstrapped_criterion(const std::vector<double>& base, const std::vector<double>& head,
                            boost::random::mt19937_64& random) {
  constexpr std::size_t resamples = 2000;
  struct Moments {
    double mean = 0, variance = 0;
  };
  const auto moments = [](const std::vector<double>& samples) {
    Moments result;
    for (const double sample : samples)
      result.mean += sample / static_cast<double>(samples.size());
    for (const double sample : samples)
      result.variance +=
          (sample - result.mean) * (sample - result.mean) / static_cast<double>(samples.size() - 1);
    return result;
  };
  const auto resampled = [&](const std::vector<double>& from, std::size_t count) {
    boost::random::uniform_int_distribution<std::size_t> at(0, from.size() - 1);
    std::vector<double> result(count);
    for (double& sample : result)
      sample = from[at(random)];
    return result;
  };
  const auto t_of = [&](const std::vector<double>& a, const std::vector<double>& b) {
    const Moments first = moments(a), second = moments(b);
    return (first.mean - second.mean) / std::sqrt(first.variance / static_cast<double>(a.size()) +
                                                  second.variance / static_cast<double>(b.size()));
  };
  std::vector<double> together = base;
  together.insert(together.end(), head.begin(), head.end());
  const double t = t_of(head, base);
  std::size_t below = 0;
  std::vector<double> ratios;
  for (std::size_t i = 0; i < resamples; ++i) {
    below += t_of(resampled(together, head.size()), resampled(together, base.size())) < t ? 1U : 0U;
    ratios.push_back(moments(resampled(head, head.size())).mean /
                         moments(resampled(base, base.size())).mean -
                     1);
  }
  const double p = 2.0 * static_cast<double>(std::min(below, resamples - below)) / resamples;
  std::sort(ratios.begin(), ratios.end());
  return p < 0.05 && ratios[resamples / 40] > 0.01;
}

TEST(Criterion, is_nearly_always_what_its_bootstrap_says) {
  boost::random::mt19937_64 random(1);
  int different = 0, slower = 0;
  constexpr int sessions = 60;
  for (std::uint64_t session = 0; session < sessions; ++session) {
    auto base = around(100, 0.03, 100, 2 * session), head = around(102, 0.03, 100, 2 * session + 1);
    for (std::size_t i = 0; i < 100; i += 20)  // outliers
      head[i] *= 1.2, base[i + 1] *= 1.2;
    const bool said = criterion_is_slower(base, head);
    different += said != bootstrapped_criterion(base, head, random) ? 1 : 0;
    slower += said ? 1 : 0;
  }
  EXPECT_LE(different, 3);
  EXPECT_GT(slower, 5);  // both answers occur
  EXPECT_LT(slower, 55);
}

}  // namespace
}  // namespace tunecheck::test
