// Exact where it can be counted, known where a book has it, right as often as promised where only a
// simulation can tell.
#include "gate/rule/signed_rank.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gmock/gmock.h>

#include "gate/rule/quantiles.hpp"
#include "random_pairs.hpp"

namespace tunecheck::test {
namespace {

using namespace gate;

// The share of all assignments of signs to the ranks 1 to n whose positive ranks sum to at most
// `statistic`.
double counted_at_most(std::size_t n, std::size_t statistic) {
  std::size_t count = 0;
  for (std::size_t signs = 0; signs < (std::size_t{1} << n); ++signs) {
    std::size_t sum = 0;
    for (std::size_t rank = 1; rank <= n; ++rank)
      if ((signs >> (rank - 1) & 1) != 0) sum += rank;
    if (sum <= statistic) ++count;
  }
  return static_cast<double>(count) / static_cast<double>(std::size_t{1} << n);
}

TEST(SignedRank, is_what_counting_all_signs_gives) {
  for (std::size_t n = 1; n <= 12; ++n)
    for (std::size_t statistic = 0; statistic <= n * (n + 1) / 2; ++statistic)
      EXPECT_DOUBLE_EQ(signed_rank_at_most(n, statistic), counted_at_most(n, statistic))
          << n << " " << statistic;
}

// Critical values of the signed-rank test as printed in tables (Hollander and Wolfe; Wilcoxon and
// Wilcox): the largest statistic whose one-sided probability is at most the level.
TEST(SignedRank, has_the_critical_values_of_the_tables) {
  struct Row {
    std::size_t n;
    std::size_t at_5_percent, at_1_percent;
  };
  for (const Row& row :
       {Row{5, 0, 0}, Row{7, 3, 0}, Row{8, 5, 1}, Row{10, 10, 5}, Row{15, 30, 19}, Row{20, 60, 43},
        Row{25, 100, 76}, Row{30, 151, 120}, Row{40, 286, 238}, Row{50, 466, 397}}) {
    EXPECT_LE(signed_rank_at_most(row.n, row.at_5_percent), 0.05) << row.n;
    EXPECT_GT(signed_rank_at_most(row.n, row.at_5_percent + 1), 0.05) << row.n;
    if (row.n < 7) continue;
    EXPECT_LE(signed_rank_at_most(row.n, row.at_1_percent), 0.01) << row.n;
    EXPECT_GT(signed_rank_at_most(row.n, row.at_1_percent + 1), 0.01) << row.n;
  }
}

TEST(SignedRank, of_many_differences_is_nearly_normal) {
  const double n = 200, mean = n * (n + 1) / 4,
               deviation = std::sqrt(n * (n + 1) * (2 * n + 1) / 24);
  for (const double deviations : {-3.0, -1.0, 0.0, 1.0, 2.0}) {
    const double at = std::floor(mean + deviations * deviation);
    EXPECT_NEAR(signed_rank_at_most(200, static_cast<std::size_t>(at)),
                1 - normal_tail((at + 0.5 - mean) / deviation), 5e-4);
  }
}

TEST(SignedRank, ends_at_one) {
  EXPECT_DOUBLE_EQ(signed_rank_at_most(9, 45), 1);
  EXPECT_DOUBLE_EQ(signed_rank_at_most(9, 1000), 1);
}

TEST(BoundRank, leaves_out_as_many_as_the_level_allows) {
  EXPECT_EQ(bound_rank(10, 0.05).left_out, 11U);  // statistics 0 to 10
  EXPECT_NEAR(bound_rank(10, 0.05).alpha, 0.0420, 5e-5);
  EXPECT_EQ(bound_rank(5, 0.05).left_out, 1U);
  EXPECT_EQ(bound_rank(4, 0.05).left_out, 0U);  // 1/16 is more
}

// Darwin's maize, heights of crossed less self-fertilised plants in eighths of an inch, as in
// Fisher's "Design of Experiments". The signed-rank statistic is 96 of 120.
const std::vector<double> maize = {49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48};

TEST(PValue, of_darwins_maize_is_that_of_the_books) {
  // Two-sided 0.0413, exact.
  EXPECT_NEAR(2 * p_above(maize, 0), 0.0413, 5e-5);
}

TEST(Locate, estimates_by_the_median_of_walsh_averages) {
  EXPECT_DOUBLE_EQ(locate(std::vector<double>{1}, 0.1, 0.1).estimate, 1);
  EXPECT_DOUBLE_EQ(locate(std::vector<double>{1, 2}, 0.1, 0.1).estimate, 1.5);
  // 1, 1.5, 2, 5.5, 6, 10: the mean of 2 and 5.5.
  EXPECT_DOUBLE_EQ(locate(std::vector<double>{10, 1, 2}, 0.1, 0.1).estimate, 3.75);
  EXPECT_NEAR(locate(maize, 0.05, 0.05).estimate, 25, 1);
}

TEST(Locate, has_no_bound_where_there_are_too_few) {
  const std::vector<double> few = {1, 2, 3, 4};
  EXPECT_EQ(locate(few, 0.05, 0.1).lower, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(locate(few, 0.05, 0.1).upper, 4);
}

TEST(Locate, moves_and_turns_with_the_differences) {
  const std::vector<double> numbers = normal_numbers(21, 5);
  std::vector<double> moved = numbers, turned = numbers;
  for (double& number : moved)
    number += 3;
  for (double& number : turned)
    number = -number;
  const Location here = locate(numbers, 0.01, 0.05), there = locate(moved, 0.01, 0.05),
                 mirrored = locate(turned, 0.05, 0.01);
  EXPECT_NEAR(there.lower, here.lower + 3, 1e-12);
  EXPECT_NEAR(there.estimate, here.estimate + 3, 1e-12);
  EXPECT_NEAR(there.upper, here.upper + 3, 1e-12);
  EXPECT_DOUBLE_EQ(mirrored.lower, -here.upper);
  EXPECT_DOUBLE_EQ(mirrored.estimate, -here.estimate);
  EXPECT_DOUBLE_EQ(mirrored.upper, -here.lower);
}

// One truth seen from two sides, at every value where either could change.
void expect_bounds_agree_with_p_values(const std::vector<double>& numbers, double alpha) {
  const Location location = locate(numbers, alpha, alpha);
  for (const double first : numbers)
    for (const double second : numbers)
      for (const double aside : {-1e-9, 0.0, 1e-9}) {
        const double value = (first + second) / 2 + aside;
        EXPECT_EQ(p_above(numbers, value) <= alpha, location.lower > value);
        EXPECT_EQ(p_below(numbers, value) <= alpha, location.upper < value);
      }
}

TEST(PValue, is_small_exactly_where_the_bound_is_beyond_the_value) {
  for (const std::size_t count : {5U, 10U, 20U})
    for (const double alpha : {0.01, 0.025, 0.05, 0.2})
      expect_bounds_agree_with_p_values(normal_numbers(count, count), alpha);
}

TEST(PValue, and_bounds_agree_where_differences_are_tied_or_zero) {
  expect_bounds_agree_with_p_values({0, 0, 0, 1, 1, 1, 2, 2, -1, 0}, 0.05);
  expect_bounds_agree_with_p_values(std::vector<double>(10, 0.0), 0.05);
}

TEST(PValue, of_differences_that_are_all_zero_speaks_for_nothing) {
  const std::vector<double> zeros(20, 0.0);
  EXPECT_DOUBLE_EQ(p_above(zeros, 0), 1);
  EXPECT_DOUBLE_EQ(p_below(zeros, 0), 1);
  EXPECT_LT(p_above(zeros, -0.01), 1e-5);
}

// How often a bound is wrong, of differences that are symmetric around 0 but far from normal:
// every third number is a hundred times larger, and all are rounded, so that there are ties.
TEST(Locate, bounds_are_wrong_no_more_often_than_promised) {
  constexpr int sessions = 20'000;
  for (const std::size_t pairs : {10U, 20U})
    for (const double alpha : {0.025, 0.1}) {
      int too_high = 0, too_low = 0;
      for (int session = 0; session < sessions; ++session) {
        std::vector<double> numbers =
            normal_numbers(pairs, static_cast<std::uint64_t>(session) * 31 + pairs);
        for (std::size_t i = 0; i < numbers.size(); ++i)
          numbers[i] = std::round(numbers[i] * (i % 3 == 0 ? 1000 : 10));
        const Location location = locate(numbers, alpha, alpha);
        too_high += location.lower > 0 ? 1 : 0;
        too_low += location.upper < 0 ? 1 : 0;
      }
      const double level = bound_rank(pairs, alpha).alpha;
      const double allowed = 4 * std::sqrt(level * sessions);
      EXPECT_NEAR(too_high, level * sessions, allowed + 0.1 * level * sessions) << pairs << alpha;
      EXPECT_NEAR(too_low, level * sessions, allowed + 0.1 * level * sessions) << pairs << alpha;
    }
}

TEST(StandardError, is_the_scatter_of_the_estimate_or_a_little_more) {
  constexpr int sessions = 4000;
  for (const std::size_t pairs : {10U, 30U}) {
    double stated = 0, squares = 0;
    for (int session = 0; session < sessions; ++session) {
      const auto numbers = normal_numbers(pairs, static_cast<std::uint64_t>(session) * 17 + pairs);
      stated += standard_error(numbers) / sessions;
      squares += std::pow(locate(numbers, 0.1, 0.1).estimate, 2) / sessions;
    }
    EXPECT_GT(stated / std::sqrt(squares), 0.97) << pairs;
    EXPECT_LT(stated / std::sqrt(squares), 1.2) << pairs;
  }
}

TEST(StandardError, of_equal_differences_is_zero) {
  EXPECT_DOUBLE_EQ(standard_error(std::vector<double>(10, 0.3)), 0);
  EXPECT_GT(standard_error(normal_numbers(least_pairs_for_an_error, 1)), 0);
}

}  // namespace
}  // namespace tunecheck::test
