#include "core/info.hpp"

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/files.hpp"

namespace tunecheck {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

std::string parse_error(const std::string& text) {
  const auto root = parse_info(text, "a.info");
  return root ? "no error" : root.error().text();
}

// What reading `text` with `read` and finish() reports.
std::string read_error(const std::string& text, const std::function<void(InfoReader&)>& read) {
  const auto root = parse_info(text, "a.info");
  if (!root) return root.error().text();
  InfoErrors errors("a.info");
  InfoReader reader(*root, errors);
  read(reader);
  reader.finish();
  const auto result = errors.result();
  return result ? "no error" : result.error().text();
}

TEST(Info, every_key_knows_its_line) {
  const auto root = parse_info(
      "; a comment\n"
      "first 1\n"
      "\n"
      "second\n"
      "{\n"
      "  inner \"two words\" ; another\n"
      "  list { a 1 b 2\n"
      "         c 3 }\n"
      "}\n"
      "last x",
      "a.info");
  ASSERT_TRUE(root) << root.error().text();
  ASSERT_EQ(root->children.size(), 3U);
  EXPECT_EQ(root->children[0].line, 2);
  EXPECT_EQ(root->children[1].line, 4);
  const InfoNode* const inner = root->children[1].child("inner");
  ASSERT_NE(inner, nullptr);
  EXPECT_EQ(inner->line, 6);
  EXPECT_EQ(inner->value, "two words");
  const InfoNode* const list = root->children[1].child("list");
  ASSERT_NE(list, nullptr);
  EXPECT_EQ(list->child("b")->line, 7);
  EXPECT_EQ(list->child("c")->line, 8);
  EXPECT_EQ(root->children[2].line, 10);
  EXPECT_EQ(root->child("nothing"), nullptr);
}

TEST(Info, a_continued_value_keeps_its_key_s_line_and_those_after_it_theirs) {
  const auto root = parse_info(
      "text \"one \" \\\n"
      "     \"two \" \\\n"
      "     \"three\"\n"
      "next 1\n",
      "a.info");
  ASSERT_TRUE(root) << root.error().text();
  EXPECT_EQ(root->child("text")->value, "one two three");
  EXPECT_EQ(root->child("text")->line, 1);
  EXPECT_EQ(root->child("next")->line, 4);
}

TEST(Info, an_empty_file_has_no_keys) {
  for (const char* const text : {"", "\n\n", "; only a comment"}) {
    const auto root = parse_info(text, "a.info");
    ASSERT_TRUE(root) << text;
    EXPECT_TRUE(root->children.empty()) << text;
  }
}

TEST(Info, lines_may_end_as_on_windows) {
  const auto root = parse_info("a 1\r\nb\r\n{\r\n  c 2\r\n}\r\n", "a.info");
  ASSERT_TRUE(root) << root.error().text();
  EXPECT_EQ(root->child("a")->value, "1");
  EXPECT_EQ(root->child("b")->child("c")->line, 4);
}

TEST(Info, what_is_not_utf8_is_reported_where_it_is) {
  EXPECT_EQ(parse_error("a 1\nb \"caf\xe9\"\nc 2\n"), "a.info:2: expected UTF-8");
  EXPECT_TRUE(parse_info("a \"café\"", "a.info"));
}

TEST(Info, an_unclosed_brace_is_reported_at_the_end_of_the_file) {
  EXPECT_EQ(parse_error("a\n{\n  b 1\n"),
            "a.info:3: expected a '}' for every '{'; the file ends inside braces");
}

TEST(Info, a_brace_too_many_is_reported_where_it_is) {
  EXPECT_THAT(parse_error("a 1\n}\nb 2\n"), StartsWith("a.info:2: syntax error: "));
}

TEST(Info, an_unclosed_string_is_reported_where_it_is) {
  EXPECT_THAT(parse_error("a 1\nb \"two\nc 3\n"), StartsWith("a.info:2: syntax error: "));
}

TEST(Info, two_values_of_one_key_are_reported_where_they_are) {
  EXPECT_EQ(read_error("a 1\nb 2 3 4\n",
                       [](InfoReader& reader) {
                         (void)reader.integer_or("a", 0);
                         (void)reader.integer_or("b", 0);
                       }),
            "a.info:2: 3: unknown key \"3\". Expected one of: a, b");
}

TEST(Info, a_directive_is_refused) {
  EXPECT_EQ(parse_error("a 1\n  #include \"/etc/passwd\"\n"),
            "a.info:2: #: directives are not supported; expected a key");
  EXPECT_EQ(parse_error("a \"#no directive\"\n"), "no error");
}

TEST(Info, an_unknown_key_comes_with_a_suggestion) {
  const auto read = [](InfoReader& reader) {
    (void)reader.text_or("tolerance", "");
    (void)reader.text_or("summary", "");
  };
  EXPECT_EQ(read_error("summary x\ntolerence 1\n", read),
            "a.info:2: tolerence: unknown key \"tolerence\"; did you mean \"tolerance\"? Expected "
            "one of: summary, tolerance");
  EXPECT_EQ(read_error("colour 1\n", read),
            "a.info:1: colour: unknown key \"colour\". Expected one of: summary, tolerance");
}

TEST(Info, a_missing_key_is_reported_at_the_braces_that_lack_it) {
  EXPECT_EQ(read_error("a 1\nb\n{\n}\n",
                       [](InfoReader& reader) {
                         (void)reader.text("a");
                         InfoReader inner(*reader.section("b", true), reader.errors());
                         (void)inner.text("c");
                         inner.finish();
                       }),
            "a.info:2: c: expected \"c\" in \"b\"");
  EXPECT_EQ(read_error("a 1\n",
                       [](InfoReader& reader) {
                         (void)reader.text("a");
                         (void)reader.number("b");
                       }),
            "a.info:1: b: expected \"b\" in this file");
}

TEST(Info, a_value_of_the_wrong_type_is_reported_with_what_was_found) {
  EXPECT_EQ(read_error("\na 1.5\n", [](InfoReader& r) { (void)r.integer_or("a", 0); }),
            "a.info:2: a: expected an integer, found \"1.5\"");
  EXPECT_EQ(read_error("a small\n", [](InfoReader& r) { (void)r.number("a"); }),
            "a.info:1: a: expected a number, found \"small\"");
  EXPECT_EQ(read_error("a true\n", [](InfoReader& r) { (void)r.yes_or("a", false); }),
            "a.info:1: a: expected yes or no, found \"true\"");
  EXPECT_EQ(read_error("a\n{\n  b 1\n}\n", [](InfoReader& r) { (void)r.text("a"); }),
            "a.info:1: a: expected a value, found braces");
  EXPECT_EQ(read_error("a\n{\n  b 1\n}\n", [](InfoReader& r) { (void)r.words_or_none("a"); }),
            "a.info:1: a: expected words, found braces");
  EXPECT_EQ(read_error("a\n", [](InfoReader& r) { (void)r.text_or("a", "x"); }),
            "a.info:1: a: expected a value, found none");
  EXPECT_EQ(read_error("a \"\"\n", [](InfoReader& r) { (void)r.text("a"); }),
            "a.info:1: a: expected a value, found none");
}

TEST(Info, a_key_given_twice_is_reported_where_it_comes_again) {
  EXPECT_EQ(read_error("a 1\nb 2\na 3\n",
                       [](InfoReader& reader) {
                         (void)reader.text("a");
                         (void)reader.text("b");
                       }),
            "a.info:3: a: given twice; expected it once");
}

TEST(Info, values_are_read_and_defaults_fill_in) {
  const auto root = parse_info("i -3\nn 2.5\ny yes\nw \"a, b\"\nt hello\n", "a.info");
  ASSERT_TRUE(root);
  InfoErrors errors("a.info");
  InfoReader reader(*root, errors);
  EXPECT_EQ(reader.integer_or("i", 0), -3);
  EXPECT_EQ(reader.number("n"), 2.5);
  EXPECT_TRUE(reader.yes_or("y", false));
  EXPECT_THAT(reader.words_or_none("w"), ElementsAre("a", "b"));
  EXPECT_EQ(reader.text("t"), "hello");
  EXPECT_EQ(reader.integer_or("missing", 7), 7);
  EXPECT_EQ(reader.number_or("missing", 0.5), 0.5);
  EXPECT_TRUE(reader.yes_or("missing", true));
  EXPECT_EQ(reader.text_or("missing", "x"), "x");
  EXPECT_EQ(reader.section("missing", false), nullptr);
  reader.finish();
  EXPECT_TRUE(errors.result());
}

TEST(Info, the_first_error_of_a_file_is_the_one_reported) {
  InfoErrors errors("a.info");
  EXPECT_FALSE(errors.any());
  errors.add(9, "late", "late");
  errors.add(3, "early", "early");
  errors.add(3, "same", "same line, but later");
  errors.add(5, "middle", "middle");
  EXPECT_TRUE(errors.any());
  EXPECT_EQ(errors.result().error().text(), "a.info:3: early: early");
}

TEST(Info, an_error_without_a_place_is_its_message) {
  EXPECT_EQ((Error{ErrorKind::bad_input, "message", "", 0, ""}.text()), "message");
  EXPECT_EQ((Error{ErrorKind::bad_input, "message", "a", 0, ""}.text()), "a: message");
  EXPECT_EQ((Error{ErrorKind::bad_input, "message", "a", 4, "key"}.text()), "a:4: key: message");
}

TEST(Info, a_file_that_cannot_be_read_is_an_error_with_its_name) {
  EXPECT_EQ(read_info_file("/nonexistent/a.info").error().text(),
            "/nonexistent/a.info: cannot read: No such file or directory");
}

TEST(Info, bytes_that_are_no_text_do_no_harm) {
  std::string bytes;
  for (int i = 0; i < 4096; ++i)
    bytes += static_cast<char>((i * 7919) >> 3);
  (void)parse_info(bytes, "a.info");
  (void)parse_info(std::string(100, '\0'), "a.info");
  SUCCEED();
}

}  // namespace
}  // namespace tunecheck
