#include "gate/rule/counts.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace tunecheck::test {
namespace {

using namespace gate;

CountFinding compared(const std::vector<std::int64_t>& base,
                      const std::vector<std::int64_t>& head) {
  return compare_counts(base, head);
}

TEST(Counts, one_more_is_a_regression_and_one_less_is_improved) {
  EXPECT_EQ(compared({0, 0, 0}, {1, 1, 1}).answer, Answer::regression);
  EXPECT_EQ(compared({0, 0, 0}, {1, 1, 1}).reason, "base 0, head 1");
  EXPECT_EQ(compared({1000}, {1001}).answer, Answer::regression);
  EXPECT_EQ(compared({1000}, {999}).answer, Answer::improved);
  EXPECT_EQ(compared({7, 7}, {7, 7}).answer, Answer::pass);
}

TEST(Counts, that_vary_decide_only_where_they_do_not_overlap) {
  EXPECT_EQ(compared({3, 5}, {6, 8}).answer, Answer::regression);
  EXPECT_EQ(compared({3, 5}, {1, 2}).answer, Answer::improved);
  EXPECT_EQ(compared({3, 5}, {5, 8}).answer, Answer::inconclusive);
  EXPECT_EQ(compared({3, 5}, {3, 5}).answer, Answer::inconclusive);
  EXPECT_EQ(compared({3}, {2, 5}).answer, Answer::inconclusive);
  EXPECT_EQ(compared({3, 3}, {3, 4}).reason,
            "base 3, head 3 to 4: the processes of one side do not agree");
}

TEST(Counts, of_nobody_and_below_zero_are_invalid) {
  EXPECT_EQ(compared({}, {1}).reason, "no process of the base counted");
  EXPECT_EQ(compared({1}, {}).reason, "no process of the head counted");
  EXPECT_EQ(compared({1}, {-1}).answer, Answer::invalid);
  EXPECT_EQ(compared({-1}, {1}).answer, Answer::invalid);
  EXPECT_EQ(compared({-1}, {-1}).answer, Answer::invalid);
}

}  // namespace
}  // namespace tunecheck::test
