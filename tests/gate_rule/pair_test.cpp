#include "gate/rule/pair.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace tunecheck::test {
namespace {

using namespace gate;

Pair pair_with(std::vector<double> base, std::vector<double> head) {
  return {{std::move(base), {}}, {std::move(head), {}}};
}

std::string mistake(std::vector<double> base, std::vector<double> head) {
  const auto ratio = log_ratio(pair_with(std::move(base), std::move(head)));
  return ratio ? "" : ratio.error().message;
}

TEST(Median, is_the_middle_sample_or_the_mean_of_two) {
  EXPECT_DOUBLE_EQ(median(std::vector<double>{7}), 7);
  EXPECT_DOUBLE_EQ(median(std::vector<double>{9, 1, 2}), 2);
  EXPECT_DOUBLE_EQ(median(std::vector<double>{4, 100, 1, 2}), 3);
  EXPECT_DOUBLE_EQ(median(std::vector<double>{5, 5, 5, 5}), 5);
}

TEST(LogRatio, is_of_the_head_over_the_base) {
  EXPECT_NEAR(*log_ratio(pair_with({100, 90, 900}, {110, 1, 111})), std::log(1.1), 1e-12);
  EXPECT_LT(*log_ratio(pair_with({100}, {50})), 0);
}

TEST(LogRatio, takes_one_sample_a_process) {
  EXPECT_DOUBLE_EQ(*log_ratio(pair_with({100}, {100})), 0);
}

TEST(LogRatio, says_which_sample_is_none) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(mistake({}, {1}), "the base gave no sample");
  EXPECT_EQ(mistake({1}, {}), "the head gave no sample");
  EXPECT_EQ(mistake({1, nan, 3}, {1}),
            "sample 2 of 3 of the base is nan; expected a positive number");
  EXPECT_EQ(mistake({1}, {0}), "sample 1 of 1 of the head is 0; expected a positive number");
  EXPECT_EQ(mistake({1}, {1, -2}), "sample 2 of 2 of the head is -2; expected a positive number");
  EXPECT_EQ(mistake({1}, {infinity}),
            "sample 1 of 1 of the head is inf; expected a positive number");
}

TEST(OneRecording, is_the_same_samples_that_differ_among_themselves) {
  EXPECT_TRUE(is_one_recording(pair_with({1, 2, 3}, {1, 2, 3})));
  EXPECT_FALSE(is_one_recording(pair_with({1, 2, 3}, {1, 2, 4})));
  EXPECT_FALSE(is_one_recording(pair_with({2, 2, 2}, {2, 2, 2})));  // a clock that is only computed
  EXPECT_FALSE(is_one_recording(pair_with({2}, {2})));
}

}  // namespace
}  // namespace tunecheck::test
