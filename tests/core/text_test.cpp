#include "core/text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tunecheck {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Text, words_are_separated_by_blanks_and_commas) {
  EXPECT_THAT(split_words("  a b,c ,\td\n"), ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(split_words(" , "), IsEmpty());
  EXPECT_THAT(split_words(""), IsEmpty());
}

TEST(Text, an_integer_is_the_whole_text) {
  EXPECT_EQ(parse_integer("-42"), -42);
  EXPECT_EQ(parse_integer("9223372036854775807"), 9223372036854775807);
  for (const char* const text : {"", " 1", "1 ", "1.0", "0x10", "9223372036854775808", "one"})
    EXPECT_EQ(parse_integer(text), std::nullopt) << text;
}

TEST(Text, a_number_is_the_whole_text_in_any_locale) {
  EXPECT_EQ(parse_number("1e-5"), 1e-5);
  EXPECT_EQ(parse_number("-0.25"), -0.25);
  for (const char* const text : {"", "1,5", "1.5f", "e5"})
    EXPECT_EQ(parse_number(text), std::nullopt) << text;
}

TEST(Text, expressions_are_separated_outside_of_parentheses) {
  EXPECT_EQ(split_expressions(" rows cols+1,2 "),
            (std::vector<std::string>{"rows", "cols+1", "2"}));
  EXPECT_EQ(split_expressions("ceil_div(n, max(1, 2)) 1"),
            (std::vector<std::string>{"ceil_div(n, max(1, 2))", "1"}));
  EXPECT_TRUE(split_expressions(" , ").empty());
}

TEST(Text, identifiers_are_lower_case_and_do_not_begin_with_a_digit) {
  EXPECT_TRUE(is_identifier("block_m2"));
  EXPECT_TRUE(is_identifier("_"));
  for (const char* const text : {"", "2d", "Block", "a-b", "a b", "\xc3\xa4"})
    EXPECT_FALSE(is_identifier(text)) << text;
}

TEST(Text, upper_case_leaves_digits_alone) {
  EXPECT_EQ(upper_case("block_m2"), "BLOCK_M2");
}

TEST(Text, the_nearest_word_is_a_slip_away) {
  const std::vector<std::string> known = {"tensors", "tolerance", "space"};
  EXPECT_EQ(nearest_word("tensor", known), "tensors");
  EXPECT_EQ(nearest_word("tolerence", known), "tolerance");
  EXPECT_EQ(nearest_word("spase", known), "space");
  EXPECT_EQ(nearest_word("grid", known), std::nullopt);
  EXPECT_EQ(nearest_word("x", {}), std::nullopt);
}

TEST(Text, globs_match_whole_texts) {
  EXPECT_TRUE(matches_glob("reload.*", "reload.same_winner"));
  EXPECT_TRUE(matches_glob("*.[ab]?", "x.a1"));
  EXPECT_FALSE(matches_glob("reload", "reload.same_winner"));
  EXPECT_FALSE(matches_glob("reload.*", "xreload.a"));
}

}  // namespace
}  // namespace tunecheck
