// How often changes are found where there are none, and where they are planted.
#include "gate/history/change_points.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <boost/random/cauchy_distribution.hpp>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/normal_distribution.hpp>
#include <gmock/gmock.h>

namespace tunecheck::test {
namespace {

using namespace history;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

enum class Noise { normal, heavy_tails, coarse };

// ln of times that scatter by 1 % and change by so much at these places.
std::vector<double> history_of(std::size_t runs, std::uint64_t seed, Noise noise = Noise::normal,
                               const std::map<std::size_t, double>& changes = {}) {
  boost::random::mt19937_64 random(seed);
  boost::random::normal_distribution<double> normal(0, 0.01);
  boost::random::cauchy_distribution<double> heavy(0, 0.005);
  std::vector<double> values;
  double level = 5;
  for (std::size_t i = 0; i < runs; ++i) {
    if (const auto change = changes.find(i); change != changes.end())
      level += std::log1p(change->second);
    double value = noise == Noise::heavy_tails ? heavy(random) : normal(random);
    if (noise == Noise::coarse) value = std::round(value * 100) / 100;
    values.push_back(level + value);
  }
  return values;
}

std::vector<std::size_t> places(const std::vector<ChangePoint>& changes) {
  std::vector<std::size_t> places;
  for (const ChangePoint& change : changes)
    places.push_back(change.at);
  return places;
}

// Of 1000 histories without a change, in how many one is found at a level of 2 %.
int false_alarms(std::size_t runs, Noise noise) {
  int alarms = 0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed)
    alarms += change_points(history_of(runs, seed, noise), {0.02, seed}).empty() ? 0 : 1;
  return alarms;
}

// 20 are expected; 4 deviations more are 38.
constexpr int most_alarms = 38;

TEST(ChangePoints, in_steady_histories_are_as_rare_as_the_level_says) {
  EXPECT_LE(false_alarms(20, Noise::normal), most_alarms);
  EXPECT_LE(false_alarms(60, Noise::normal), most_alarms);
  EXPECT_LE(false_alarms(40, Noise::heavy_tails), most_alarms);
  EXPECT_LE(false_alarms(40, Noise::coarse), most_alarms);
  EXPECT_GE(false_alarms(40, Noise::normal), 3) << "the test never says yes";
}

TEST(ChangePoints, beside_a_true_change_are_as_rare) {
  int others = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed)
    others +=
        change_points(history_of(60, seed, Noise::normal, {{25, 0.08}}), {0.02, seed}).size() == 1
            ? 0
            : 1;
  EXPECT_LE(others, 6 + 4 * 3);
}

TEST(ChangePoints, of_three_deviations_are_found_where_they_are) {
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed)
    for (const std::size_t at :
         places(change_points(history_of(50, seed, Noise::normal, {{35, 0.03}}), {0.01, seed})))
      found += at >= 33 && at <= 37 ? 1 : 0;
  EXPECT_GE(found, 99);
}

TEST(ChangePoints, of_a_speed_up_are_found_too) {
  const auto changes = change_points(history_of(50, 3, Noise::normal, {{20, -0.05}}), {});
  EXPECT_THAT(places(changes), ElementsAre(20));
  EXPECT_LE(changes[0].p, 0.01);
  EXPECT_GT(changes[0].p, 0);
}

TEST(ChangePoints, are_found_among_outliers) {
  std::vector<double> values = history_of(60, 1, Noise::normal, {{30, 0.05}});
  for (const std::size_t outlier : {7U, 22U, 41U, 55U})
    values[outlier] += 0.6;
  EXPECT_THAT(places(change_points(values, {})), ElementsAre(30));
}

TEST(ChangePoints, up_and_down_again_are_two) {
  const auto values = history_of(90, 5, Noise::normal, {{30, 0.05}, {60, -0.05}});
  EXPECT_THAT(places(change_points(values, {})), ElementsAre(30, 60));
}

TEST(ChangePoints, many_in_a_row_are_all_found) {
  const auto values =
      history_of(100, 9, Noise::normal, {{20, 0.05}, {40, 0.05}, {60, -0.08}, {80, 0.1}});
  EXPECT_THAT(places(change_points(values, {})), ElementsAre(20, 40, 60, 80));
}

// The shuffles of the 150 runs before it do not hide what happened in the last 24.
TEST(ChangePoints, in_a_short_part_are_found_as_if_it_stood_alone) {
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const auto changes = places(change_points(
        history_of(174, seed, Noise::normal, {{150, 0.2}, {162, 0.03}}), {0.01, seed}));
    found += std::any_of(changes.begin(), changes.end(),
                         [](std::size_t at) { return at >= 160 && at <= 164; })
                 ? 1
                 : 0;
  }
  EXPECT_GE(found, 95);
}

// In how many of 200 histories of 60 runs each of two changes is found at the very run.
int exact_places(std::size_t first, double first_size, std::size_t second, double second_size) {
  std::ptrdiff_t exact = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const auto changes = places(change_points(
        history_of(60, seed, Noise::normal, {{first, first_size}, {second, second_size}}),
        {0.01, seed}));
    exact += std::count(changes.begin(), changes.end(), first) +
             std::count(changes.begin(), changes.end(), second);
  }
  return static_cast<int>(exact);
}

TEST(ChangePoints, are_at_the_run_of_the_step_whatever_lies_on_either_side) {
  EXPECT_GE(exact_places(30, 0.02, 40, 0.04), 260);
  EXPECT_GE(exact_places(10, 0.04, 50, -0.04), 365);
}

TEST(ChangePoints, keep_three_runs_from_the_ends_and_from_each_other) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    std::size_t last = 0;
    for (const std::size_t at : places(change_points(
             history_of(40, seed, Noise::heavy_tails, {{2, 0.3}, {20, -0.3}, {38, 0.3}}),
             {0.5, seed}))) {
      EXPECT_GE(at, last + least_between_changes);
      last = at;
    }
    EXPECT_LE(last + least_between_changes, 40U);
  }
}

TEST(ChangePoints, in_values_that_are_all_equal_are_none) {
  EXPECT_THAT(change_points(std::vector<double>(50, 0.1), {}), IsEmpty());
}

TEST(ChangePoints, in_too_few_values_are_none) {
  EXPECT_THAT(change_points({}, {}), IsEmpty());
  EXPECT_THAT(change_points(std::vector<double>{1}, {}), IsEmpty());
  EXPECT_THAT(change_points(std::vector<double>{1, 1, 1, 2, 2, 2}, {}), IsEmpty());
  EXPECT_FALSE(can_show_a_change(5, 0.9));
}

TEST(ChangePoints, that_can_be_shown_are_where_the_page_says_so) {
  const std::size_t least = least_values(0.01);
  EXPECT_EQ(least, 11U);
  EXPECT_FALSE(can_show_a_change(least - 1, 0.01));
  std::vector<double> values(least, 0);
  for (std::size_t i = least / 2; i < least; ++i)
    values[i] = 1;
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    found += static_cast<int>(change_points(values, {0.01, seed}).size());
  EXPECT_GE(found, 12);
  EXPECT_TRUE(can_show_a_change(1'000'000, 1e-6));
}

TEST(ChangePoints, of_one_seed_are_the_same) {
  const auto values = history_of(80, 11, Noise::heavy_tails, {{40, 0.03}});
  const auto first = change_points(values, {0.05, 7}), second = change_points(values, {0.05, 7});
  ASSERT_THAT(second, SizeIs(first.size()));
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].at, second[i].at);
    EXPECT_EQ(first[i].p, second[i].p);
  }
}

TEST(ChangePoints, of_a_long_history_are_found) {
  const auto values = history_of(1000, 2, Noise::normal, {{400, 0.02}, {700, -0.03}});
  const auto changes = places(change_points(values, {}));
  ASSERT_THAT(changes, SizeIs(2));
  EXPECT_NEAR(static_cast<double>(changes[0]), 400, 5);
  EXPECT_NEAR(static_cast<double>(changes[1]), 700, 5);
}

}  // namespace
}  // namespace tunecheck::test
