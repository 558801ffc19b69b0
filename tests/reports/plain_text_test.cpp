#include "core/plain_text.hpp"

#include <gmock/gmock.h>

#include "hand_made_results.hpp"

namespace tunecheck::test {
namespace {

using testing::ElementsAre;

TEST(PlainText, control_characters_become_visible) {
  EXPECT_EQ(printable_line("a\x1b[31mb\x07\x7f"), "a\\x1b[31mb\\x07\\x7f");
  EXPECT_EQ(printable_line("\xc2\x9b"), "\\x9b")
      << "an escape sequence may begin with this one too";
}

TEST(PlainText, is_broken_where_the_first_byte_is_no_utf8) {
  EXPECT_EQ(broken_utf8("caf\xc3\xa9"), std::nullopt);
  EXPECT_EQ(broken_utf8("caf\xe9 \xff"), 3U);
  EXPECT_EQ(broken_utf8("caf\xc3"), 3U);
}

TEST(PlainText, line_ends_become_blanks_but_not_at_the_end) {
  EXPECT_EQ(printable_line("one\ntwo\r\n"), "one two");
}

TEST(PlainText, characters_that_turn_the_direction_become_visible) {
  EXPECT_EQ(printable_line("\xe2\x80\xae"
                           "gpj"),
            "\\u202egpj");
}

TEST(PlainText, each_broken_byte_becomes_a_replacement_character) {
  EXPECT_EQ(printable_line("a\xff\xc3"), "a\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(printable_line("é漢😀"), "é漢😀");
}

TEST(PlainText, xml_text_keeps_line_ends_and_drops_what_xml_forbids) {
  EXPECT_EQ(xml_text("a\n\tb\x01"), "a\n\tb\xef\xbf\xbd");
  EXPECT_EQ(xml_text("\xef\xbf\xbe"), "\xef\xbf\xbd") << "U+FFFE is no character";
  EXPECT_EQ(xml_text("<&>é"), "<&>é");
}

TEST(PlainText, cleaning_twice_changes_nothing) {
  EXPECT_EQ(xml_text(xml_text(hostile_text())), xml_text(hostile_text()));
  EXPECT_EQ(printable_line(printable_line(hostile_text())), printable_line(hostile_text()));
}

TEST(PlainText, width_counts_characters_and_not_bytes) {
  EXPECT_EQ(width_of("é漢"), 2U);
}

TEST(PlainText, a_shortened_text_says_so_and_keeps_whole_characters) {
  EXPECT_EQ(shortened("éééééé", 5), "éé...");
  EXPECT_EQ(shortened("ééééé", 5), "ééééé");
  EXPECT_EQ(shortened("abcdef", 2), "..");
}

TEST(PlainText, wraps_at_blanks_and_breaks_what_has_none) {
  EXPECT_THAT(wrapped("one two three", 8), ElementsAre("one two", "three"));
  EXPECT_THAT(wrapped("one two", 7), ElementsAre("one two"));
  EXPECT_THAT(wrapped("abcdefgh", 3), ElementsAre("abc", "def", "gh"));
  EXPECT_THAT(wrapped(" abcd", 3), ElementsAre(" ab", "cd"));
  EXPECT_THAT(wrapped("", 3), ElementsAre(""));
}

}  // namespace
}  // namespace tunecheck::test
