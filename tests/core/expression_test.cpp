#include "core/expression.hpp"

#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/parsed_expression.hpp"

namespace tunecheck {
namespace {

const Variables sizes = {{"cols", 96}, {"rows", 4}};

double value_of(const std::string& expression) {
  const auto value = evaluate(expression, sizes);
  EXPECT_TRUE(value) << expression << ": " << (value ? "" : value.error().text());
  return value.value_or(-1);
}

TEST(Expression, arithmetic_has_the_usual_precedence) {
  EXPECT_EQ(value_of("4 * rows * cols * 4"), 6144);
  EXPECT_EQ(value_of("1 + 2 * 3 ^ 2"), 19);
  EXPECT_EQ(value_of("(1 + 2) * 3"), 9);
  EXPECT_EQ(value_of("cols / 64"), 1.5);
}

TEST(Expression, the_remainder_binds_like_a_product) {
  EXPECT_EQ(value_of("cols % 64"), 32);
  EXPECT_EQ(value_of("1 + cols % 64 * 2"), 65);
  EXPECT_EQ(value_of("cols % 32 == 0"), 1);
}

TEST(Expression, conditions_are_one_or_zero) {
  EXPECT_EQ(value_of("rows <= cols && cols != 95"), 1);
  EXPECT_EQ(value_of("rows > cols || 0"), 0);
  EXPECT_EQ(value_of("rows > 2 ? 10 : 20"), 10);
}

TEST(Expression, an_unknown_name_lists_the_known_ones) {
  const auto value = evaluate("rows * col", sizes);
  ASSERT_FALSE(value);
  EXPECT_THAT(value.error().message, testing::HasSubstr("\"rows * col\": "));
  EXPECT_THAT(value.error().message, testing::HasSubstr("\"col\""));
  EXPECT_THAT(value.error().message, testing::EndsWith("known names: cols, rows"));
}

TEST(Expression, nonsense_is_an_error) {
  for (const char* const text : {"", " ", "rows +", "(rows", "rows cols", "rows = 3", "1 @ 2"})
    EXPECT_FALSE(evaluate(text, sizes)) << text;
}

TEST(Expression, a_value_that_is_not_finite_is_an_error) {
  EXPECT_EQ(
      evaluate("rows / 0", sizes).error().message,
      "\"rows / 0\" is inf with rows = 4; expected a finite number: is something divided by 0? "
      "max(1,...) keeps a divisor above 0");
  EXPECT_FALSE(evaluate("0 / 0", sizes));
  EXPECT_FALSE(evaluate("cols % 0", sizes));
}

TEST(Expression, a_division_may_be_rounded_up) {
  EXPECT_EQ(evaluate_size("ceil_div(cols, 64)", sizes), 2);
  EXPECT_EQ(evaluate_size("ceil_div(cols, 96)", sizes), 1);
  EXPECT_EQ(evaluate_size("ceil_div(0, 64)", sizes), 0);
  EXPECT_FALSE(evaluate_size("ceil_div(cols, rows - 4)", sizes));
  EXPECT_EQ(evaluate_size("max(1, min(rows, cols))", sizes), 4);
}

TEST(Expression, an_integer_may_be_negative) {
  EXPECT_EQ(evaluate_integer("rows - 5", sizes), -1);
  EXPECT_EQ(evaluate_integer("cols / 64", sizes).error().message,
            "\"cols / 64\" is 1.5; expected a whole number");
}

TEST(Expression, a_size_is_a_whole_number_of_at_least_zero) {
  EXPECT_EQ(evaluate_size("rows * cols", sizes), 384);
  EXPECT_EQ(evaluate_size("rows - 4", sizes), 0);
  EXPECT_EQ(evaluate_size("cols / 64", sizes).error().message,
            "\"cols / 64\" is 1.5; expected a whole number of at least 0");
  EXPECT_FALSE(evaluate_size("rows - 5", sizes));
  EXPECT_EQ(evaluate_size("10 ^ 18", sizes).error().message,
            "\"10 ^ 18\" is 1e+18; expected a whole number of at most 9000000000000000");
}

TEST(ParsedExpression, that_assigns_is_an_error_and_comparisons_are_none) {
  const std::array<double, 1> unroll = {4};
  const auto value_of_4 = [&](const std::string& text) {
    return ParsedExpression(text, {}, {"unroll"}).evaluate(unroll);
  };
  EXPECT_FALSE(value_of_4("unroll = 1"));
  EXPECT_FALSE(value_of_4("=1"));
  for (const char* const comparison : {"unroll == 4", "unroll >= 4", "unroll <= 4", "unroll != 1"})
    EXPECT_EQ(value_of_4(comparison), 1) << comparison;
}

}  // namespace
}  // namespace tunecheck
