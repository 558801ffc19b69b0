#include "core/compare.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "owned_tensor.hpp"

namespace tunecheck {
namespace {

using test::OwnedTensor;
using testing::ElementsAre;
using Values = std::vector<double>;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

Comparison compared(const Values& actual, const Values& expected, const Tolerance& tolerance = {},
                    DType dtype = DType::f32) {
  OwnedTensor tensor(dtype, {static_cast<std::int64_t>(actual.size())});
  from_doubles(actual, tensor.view());
  return compare(tensor.view(), expected, tolerance);
}

TEST(Compare, equal_tensors_are_equal) {
  const Comparison result = compared({1, 2, 3}, {1, 2, 3});
  EXPECT_TRUE(result.equal());
  EXPECT_EQ(result.text(), "all 3 elements as expected");
  EXPECT_TRUE(result.first_wrong.empty());
}

TEST(Compare, no_elements_are_equal) {
  EXPECT_TRUE(compared({}, {}).equal());
}

TEST(Compare, the_first_wrong_element_is_named_with_its_distance) {
  OwnedTensor tensor(DType::f32, {2, 3}, {1, 2});
  from_doubles(Values{0, 1, 2, 3, 4.5, 6}, tensor.view());
  const Comparison result = compare(tensor.view(), Values{0, 1, 2, 3, 4, 5}, {});
  EXPECT_EQ(result.wrong, 2);
  EXPECT_THAT(result.first_wrong, ElementsAre(1, 1));
  EXPECT_EQ(result.text(),
            "2 of 6 elements wrong; first at [1, 1]: expected 4, found 4.5 (1048576 ulp)");
}

TEST(Compare, without_tolerance_one_ulp_is_wrong) {
  EXPECT_TRUE(compared({1 + 0x1p-23}, {1 + 0x1p-23}).equal());
  const Comparison result = compared({1 + 0x1p-23}, {1});
  EXPECT_EQ(result.wrong, 1);
  EXPECT_EQ(result.ulp, 1U);
}

TEST(Compare, the_expected_value_rounded_to_the_dtype_is_right_without_tolerance) {
  EXPECT_TRUE(compared({0.1}, {0.1}).equal());
  EXPECT_TRUE(compared({70000}, {70000}, {}, DType::f16).equal());  // both infinite in f16
  EXPECT_FALSE(compared({0.1}, {0.1 + 0x1p-26}).equal());
}

TEST(Compare, an_integer_is_not_rounded_to_be_right) {
  EXPECT_FALSE(compared({2}, {2.5}, {}, DType::i32).equal());
  EXPECT_FALSE(compared({255}, {300}, {}, DType::u8).equal());
  EXPECT_FALSE(compared({0}, {nan_value}, {}, DType::i32).equal());
}

TEST(Compare, the_tolerance_is_absolute_plus_relative_to_the_expected_value) {
  const Tolerance tolerance{0.125, 0.5};
  EXPECT_TRUE(compared({9.5}, {8}, tolerance).equal());  // 0.5 + 0.125 * 8 = 1.5
  EXPECT_TRUE(compared({6.5}, {8}, tolerance).equal());
  EXPECT_FALSE(compared({9.625}, {8}, tolerance).equal());
  EXPECT_FALSE(compared({8}, {9.75}, {0, 1.5}).equal());
  EXPECT_TRUE(compared({-9.5}, {-8}, tolerance).equal());
}

TEST(Compare, a_nan_equals_only_a_nan) {
  EXPECT_TRUE(compared({nan_value}, {nan_value}).equal());
  EXPECT_FALSE(compared({nan_value}, {1}, {1e9, 1e9}).equal());
  EXPECT_FALSE(compared({1}, {nan_value}, {1e9, 1e9}).equal());
}

TEST(Compare, an_infinity_equals_only_itself_whatever_the_tolerance) {
  const Tolerance loose{0.5, 1e9};
  EXPECT_TRUE(compared({infinity}, {infinity}, loose).equal());
  EXPECT_FALSE(compared({-infinity}, {infinity}, loose).equal());
  EXPECT_FALSE(compared({5}, {infinity}, loose).equal());
  EXPECT_FALSE(compared({infinity}, {5}, loose).equal());
}

TEST(Compare, an_element_that_nobody_wrote_is_wrong_even_where_a_nan_is_expected) {
  OwnedTensor tensor(DType::f32, {4});
  fill_poison(tensor.view());
  store_element(DType::f32, tensor.view().data, nan_value);
  const Comparison result = compare(tensor.view(), Values(4, nan_value), {1, 1e30});
  EXPECT_EQ(result.wrong, 3);
  EXPECT_EQ(result.unwritten, 3);
  EXPECT_THAT(result.text(),
              testing::StartsWith("3 of 4 elements wrong, 3 of them never written; first at [1]"));
}

TEST(Compare, an_integer_may_rightly_equal_its_poison_pattern) {
  OwnedTensor tensor(DType::u8, {2});
  fill_poison(tensor.view());
  const Comparison result = compare(tensor.view(), Values{0xad, 7}, {});
  EXPECT_EQ(result.wrong, 1);
  EXPECT_EQ(result.unwritten, 1);
  EXPECT_THAT(result.first_wrong, ElementsAre(1));
}

}  // namespace
}  // namespace tunecheck
