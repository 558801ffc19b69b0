// Exact where it can be counted, right as often as promised where only a simulation can tell.
#include "gate/rule/rank_sum.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include <gmock/gmock.h>

#include "random_pairs.hpp"

namespace tunecheck::test {
namespace {

using namespace gate;

// The share of all ways to deal `first` and `second` numbers of the ranks whose first ones are
// larger in at most `statistic` pairs.
double counted_at_most(std::size_t first, std::size_t second, std::size_t statistic) {
  std::size_t ways = 0, count = 0;
  for (std::size_t deal = 0; deal < (std::size_t{1} << (first + second)); ++deal) {
    if (static_cast<std::size_t>(std::popcount(deal)) != first) continue;
    ++ways;
    std::size_t of_second = 0, above = 0;
    for (std::size_t rank = 0; rank < first + second; ++rank)
      if ((deal >> rank & 1) != 0)
        above += of_second;
      else
        ++of_second;
    if (above <= statistic) ++count;
  }
  return static_cast<double>(count) / static_cast<double>(ways);
}

TEST(RankSum, is_what_counting_all_deals_gives) {
  for (std::size_t first = 1; first <= 7; ++first)
    for (std::size_t second = 1; second <= 7; ++second)
      for (std::size_t statistic = 0; statistic <= first * second; ++statistic)
        EXPECT_NEAR(rank_sum_at_most(first, second, statistic),
                    counted_at_most(first, second, statistic), 1e-12)
            << first << " " << second << " " << statistic;
}

// Critical values of Mann and Whitney's test as printed in tables, one-sided at 2.5 %.
TEST(RankSum, has_the_critical_values_of_the_tables) {
  struct Row {
    std::size_t first, second, at_2_5_percent;
  };
  for (const Row& row : {Row{4, 4, 0}, Row{5, 5, 2}, Row{8, 8, 13}, Row{10, 10, 23},
                         Row{10, 20, 55}, Row{15, 15, 64}, Row{20, 20, 127}}) {
    EXPECT_LE(rank_sum_at_most(row.first, row.second, row.at_2_5_percent), 0.025) << row.first;
    EXPECT_GT(rank_sum_at_most(row.first, row.second, row.at_2_5_percent + 1), 0.025) << row.first;
  }
}

TEST(LocateShift, estimates_by_the_median_of_all_differences) {
  const std::vector<double> before = {1, 2, 4}, present = {5, 9};
  // 4 3 1 8 7 5: the mean of 4 and 5.
  EXPECT_DOUBLE_EQ(locate_shift(before, present, 0.1, 0.1).estimate, 4.5);
}

TEST(LocateShift, has_no_bound_where_there_are_too_few) {
  const std::vector<double> one = {1}, few = {1, 2, 3}, many = normal_numbers(20, 1);
  EXPECT_EQ(locate_shift(few, few, 0.01, 0.1).lower, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(locate_shift(few, few, 0.01, 0.06).upper, 2) << "1 in 20 ways";
  EXPECT_EQ(locate_shift(one, many, 0.01, 0.025).upper, std::numeric_limits<double>::infinity());
}

TEST(LocateShift, moves_and_turns_with_the_numbers) {
  const std::vector<double> before = normal_numbers(10, 5), present = normal_numbers(20, 6);
  std::vector<double> moved = present;
  for (double& number : moved)
    number += 3;
  const Location here = locate_shift(before, present, 0.01, 0.05),
                 there = locate_shift(before, moved, 0.01, 0.05),
                 turned = locate_shift(present, before, 0.05, 0.01);
  EXPECT_NEAR(there.lower, here.lower + 3, 1e-12);
  EXPECT_NEAR(there.estimate, here.estimate + 3, 1e-12);
  EXPECT_NEAR(there.upper, here.upper + 3, 1e-12);
  EXPECT_DOUBLE_EQ(turned.lower, -here.upper);
  EXPECT_DOUBLE_EQ(turned.upper, -here.lower);
}

TEST(LocateShift, is_wrong_no_more_often_than_said) {
  constexpr std::size_t trials = 4000;
  constexpr double alpha = 0.05;
  std::size_t above = 0, below = 0;
  for (std::size_t trial = 0; trial < trials; ++trial) {
    const Location location = locate_shift(normal_numbers(10, 2 * trial),
                                           normal_numbers(20, 2 * trial + 1), alpha, alpha);
    above += location.lower > 0 ? 1U : 0U;
    below += location.upper < 0 ? 1U : 0U;
  }
  const double expected = alpha * trials, deviation = std::sqrt(expected * (1 - alpha));
  for (const std::size_t wrong : {above, below}) {
    EXPECT_LE(static_cast<double>(wrong), expected + 4 * deviation);
    EXPECT_GE(static_cast<double>(wrong), expected / 2) << "the bound is no wider than it must be";
  }
}

// 101 numbers are computed otherwise than 100.
TEST(LocateShift, of_many_numbers_has_the_bounds_of_the_exact_distribution) {
  std::vector<double> before = normal_numbers(101, 1), present = normal_numbers(100, 2);
  const Location many = locate_shift(before, present, 0.01, 0.025);
  std::vector<double> differences;
  for (const double one : before)
    for (const double other : present)
      differences.push_back(other - one);
  std::sort(differences.begin(), differences.end());
  const auto place = [&](double bound) {
    return static_cast<std::size_t>(
        std::lower_bound(differences.begin(), differences.end(), bound) - differences.begin());
  };
  EXPECT_NEAR(rank_sum_at_most(101, 100, place(many.lower)), 0.01, 2e-4);
  EXPECT_NEAR(rank_sum_at_most(101, 100, differences.size() - 1 - place(many.upper)), 0.025, 2e-4);
}

}  // namespace
}  // namespace tunecheck::test
