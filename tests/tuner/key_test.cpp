#include "tuner/key/key.hpp"

#include <gtest/gtest.h>

namespace tunecheck {
namespace {

Key key(std::vector<KeyValue> values) {
  return Key(std::move(values));
}

TEST(Key, the_order_of_collecting_means_nothing) {
  EXPECT_EQ(key({{"a", "1"}, {"b", "2"}}).text(), key({{"b", "2"}, {"a", "1"}}).text());
}

TEST(Key, values_never_run_into_each_other) {
  EXPECT_NE(key({{"x", "a"}, {"y", "bc"}}).text(), key({{"x", "ab"}, {"y", "c"}}).text());
  EXPECT_NE(key({{"a", "1;1:b=1:2"}}).folder_digest(),
            key({{"a", "1"}, {"b", "2"}}).folder_digest());
}

TEST(Key, an_axis_without_a_value_is_not_an_empty_value) {
  EXPECT_NE(key({{"a", ""}}).text(), key({{"a", std::nullopt}}).text());
}

TEST(Key, an_axis_that_cannot_be_told_decides_the_file_and_not_the_folder) {
  const Key one = key({{"a", "1"}, {"tool", "x", true}});
  const Key other = key({{"a", "1"}, {"tool", "y", true}});
  const Key unknown = key({{"a", "1"}, {"tool", std::nullopt, true}});
  EXPECT_EQ(one.folder_digest(), other.folder_digest());
  EXPECT_EQ(one.folder_digest(), unknown.folder_digest());
  EXPECT_NE(one.file_digest(), other.file_digest());
  EXPECT_FALSE(unknown.file_digest().has_value());
  EXPECT_FALSE(one.agrees_with(other));
  EXPECT_TRUE(unknown.agrees_with(other));
}

TEST(Key, differences_are_values_and_axes_that_one_side_lacks) {
  const Key wanted = key({{"a", "1"}, {"b", "2"}, {"d", "4"}});
  const Key stored = key({{"a", "1"}, {"b", "3"}, {"c", "5"}});
  EXPECT_EQ(wanted.differing_axes(stored), (std::vector<std::string>{"b", "c", "d"}));
}

TEST(Key, the_explanation_shows_both_values_and_shortens_long_ones) {
  const std::string text = explain_difference(key({{"strides", "x=n"}}), key({{"strides", "x=1"}}));
  EXPECT_NE(text.find("strides"), text.npos);
  EXPECT_NE(text.find("\"x=n\" now"), text.npos);
  EXPECT_NE(text.find("\"x=1\""), text.npos);
  const std::string start(500, 'c');
  const std::string shortened =
      explain_difference(key({{"space", start + "one"}}), key({{"space", start + "two"}}));
  EXPECT_LT(shortened.size(), 200U);
  EXPECT_NE(shortened.find("one"), shortened.npos);
  EXPECT_NE(shortened.find("two"), shortened.npos);
}

}  // namespace
}  // namespace tunecheck
