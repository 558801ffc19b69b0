#include "gate/rule/stored.hpp"

#include <cmath>
#include <vector>

#include <gmock/gmock.h>

#include "random_pairs.hpp"

namespace tunecheck::test {
namespace {

using namespace gate;
using testing::HasSubstr;

// Times around `middle`, with this relative scatter.
std::vector<double> times(std::size_t count, double middle, double scatter, std::uint64_t seed) {
  std::vector<double> times = normal_numbers(count, seed);
  for (double& time : times)
    time = middle * std::exp(scatter * time);
  return times;
}

Finding compared_with(const std::vector<double>& before, const std::vector<double>& present) {
  return compare_with_stored(before, present, Settings{}, "asking again");
}

TEST(Stored, equal_times_pass) {
  const Finding finding = compared_with(times(10, 100, 0.003, 1), times(20, 100, 0.003, 2));
  EXPECT_EQ(finding.answer, Answer::pass) << finding.reason;
  EXPECT_THAT(finding.reason, HasSubstr("in 20 processes than in 10 stored ones"));
  EXPECT_NEAR(finding.change, 0, 0.005);
  EXPECT_LT(finding.at_least, finding.change);
  EXPECT_GT(finding.at_most, finding.change);
  EXPECT_TRUE(std::isinf(finding.detectable)) << "no slowdown would be reported";
}

TEST(Stored, what_is_faster_passes_and_is_no_improvement) {
  EXPECT_EQ(compared_with(times(10, 100, 0.003, 1), times(20, 50, 0.003, 2)).answer, Answer::pass);
}

// However sure: the machine may have been another one.
TEST(Stored, what_is_slower_is_inconclusive_and_says_what_would_tell) {
  for (const double slower : {1.04, 1.1, 3.0}) {
    const Finding finding =
        compared_with(times(40, 100, 0.002, 1), times(40, 100 * slower, 0.002, 2));
    EXPECT_EQ(finding.answer, Answer::inconclusive) << finding.reason;
    EXPECT_THAT(finding.reason, HasSubstr("so may the machine be: asking again would tell"));
  }
}

TEST(Stored, too_much_scatter_and_too_few_processes_are_inconclusive) {
  const Finding wide = compared_with(times(10, 100, 0.2, 1), times(20, 100, 0.2, 2));
  EXPECT_EQ(wide.answer, Answer::inconclusive);
  EXPECT_THAT(wide.reason, HasSubstr("between "));
  const Finding few = compared_with({100, 100.1}, {100, 100.1});
  EXPECT_EQ(few.answer, Answer::inconclusive);
  EXPECT_THAT(few.reason, HasSubstr("0.0 % slower in 2 processes than in 2 stored ones, which are "
                                    "too few for a bound: asking again would tell"));
}

}  // namespace
}  // namespace tunecheck::test
