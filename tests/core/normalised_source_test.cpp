#include "core/sources/normalised_source.hpp"

#include <gtest/gtest.h>

namespace tunecheck {
namespace {

TEST(NormalisedSource, comments_and_blanks_vanish) {
  EXPECT_EQ(normalised_source("int  a; // one\n\n\n\tint b; /* two\nlines */ int c;\n"),
            "int a;\nint b; int c;");
}

TEST(NormalisedSource, a_comment_separates_words) {
  EXPECT_EQ(normalised_source("int/**/a;"), "int a;");
}

TEST(NormalisedSource, strings_and_characters_keep_what_looks_like_a_comment) {
  EXPECT_EQ(normalised_source("f(\"// no  comment\", '\"', \"/*\"); // yes"),
            "f(\"// no  comment\", '\"', \"/*\");");
  EXPECT_EQ(normalised_source("f('\\'', \"\\\"//\"); // yes"), "f('\\'', \"\\\"//\");");
}

TEST(NormalisedSource, raw_strings_stay_as_they_are) {
  const std::string raw = "auto s = u8R\"x(// \"  )\" /* */\n\n  )x\";";
  EXPECT_EQ(normalised_source(raw + " // end"), raw);
}

TEST(NormalisedSource, a_name_that_ends_in_R_begins_no_raw_string) {
  EXPECT_EQ(normalised_source("CHAR\"(\" // a comment\n\")\""), "CHAR\"(\"\n\")\"");
}

TEST(NormalisedSource, a_digit_separator_begins_no_character) {
  EXPECT_EQ(normalised_source("int a = 1'000; // b\nint c = 0x1'f;"),
            "int a = 1'000;\nint c = 0x1'f;");
}

TEST(NormalisedSource, a_comment_continues_after_a_backslash_at_the_end_of_its_line) {
  EXPECT_EQ(normalised_source("a; // one \\\n still one\nb;"), "a;\nb;");
  EXPECT_EQ(normalised_source("a; /\\\n/ one\nb;"), "a;\nb;");
  EXPECT_EQ(normalised_source("a; /\\\n* one *\\\n/ b;"), "a; b;");
}

TEST(NormalisedSource, a_joined_directive_equals_one_on_one_line) {
  EXPECT_EQ(normalised_source("#define A 1 \\\n  + 2\n"), normalised_source("#define A 1 + 2\n"));
  EXPECT_EQ(normalised_source("#define A 1 \\\r\n  + 2\r\n"), "#define A 1 + 2");
}

TEST(NormalisedSource, lines_stay_apart) {
  EXPECT_NE(normalised_source("#define A\nint b;"), normalised_source("#define A int b;"));
}

TEST(NormalisedSource, different_code_stays_different) {
  EXPECT_NE(normalised_source("x = \"a  b\";"), normalised_source("x = \"a b\";"));
  EXPECT_NE(normalised_source("y += x;"), normalised_source("y += 2 * x;"));
}

TEST(NormalisedSource, unfinished_text_ends) {
  for (const char* const text :
       {"/*", "\"", "'", "R\"x(", "R\"", "//", "\\", "/", "a\\\n", "/*\\\n"})
    EXPECT_LE(normalised_source(text).size(), 8U) << text;
}

}  // namespace
}  // namespace tunecheck
