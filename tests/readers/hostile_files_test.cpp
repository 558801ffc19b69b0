// Every reader of a text that tunecheck itself need not have written, and every shape of file that
// is made to end its reader. A reader answers each with an error of bounded length,
// which the command line prints as one printable line.
#include <functional>
#include <set>
#include <string>
#include <unistd.h>

#include <gmock/gmock.h>

#include "core/files.hpp"
#include "core/info.hpp"
#include "core/parse_json.hpp"
#include "readers.hpp"

namespace tunecheck::test {
namespace {

namespace fs = std::filesystem;

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i)
    all += text;
  return all;
}

struct Shape {
  std::string name;
  std::string text;
  std::uint64_t hole = 0;  ///< bytes without data behind the text
};

// Each is wrong for every reader.
const std::vector<Shape>& shapes() {
  constexpr int deep = 200'000;
  static const std::vector<Shape> all = {
      {"nothing_but_lists", repeated("[", deep) + "\n"},
      {"lists_that_are_closed", repeated("[", deep) + repeated("]", deep) + "\n"},
      {"objects_that_are_closed", repeated("{\"a\":", deep) + "1" + repeated("}", deep) + "\n"},
      {"deep_in_every_field",
       "{\"body\":" + repeated("[", deep) + repeated("]", deep) + ",\"context\":0}\n"},
      {"deep_behind_a_text", "{\"a\\\"[\":\"" + repeated("\\\\", 9) +
                                 "\",\"b\":" + repeated("[", deep) + repeated("]", deep) + "}\n"},
      {"braces", repeated("a {\n", deep)},
      {"braces_in_one_line", repeated("a { ", deep) + "\n"},
      {"braces_that_are_closed", repeated("a {\n", deep) + repeated("}\n", deep)},
      {"braces_behind_quotes", repeated("a\"b {\n", deep) + repeated("}\n", deep)},
      {"braces_and_then_a_mistake", repeated("a {\n", deep) + "b \"unfinished\n"},
      {"one_long_word", std::string(8 << 20, 'a')},
      {"one_long_text", '"' + std::string(8 << 20, 'a')},
      {"many_lines", repeated("a b\n", 300'000)},
      {"zeros", std::string(1 << 20, '\0')},
      {"escapes", "\x1b[31mred\x1b[0m \x1b]0;title\x07\n"},
      {"an_include_behind_a_vertical_tab", "\v#include \"/etc/passwd\"\n"},
      {"an_include_behind_other_space", "a 1\n \f\r\t#include \"/etc/passwd\"\n"},
      {"terabytes_of_nothing", "", std::uint64_t{8} << 40},
      {"terabytes_behind_a_line", "{\"a\":1}\n", std::uint64_t{8} << 40},
  };
  return all;
}

class HostileFile : public testing::TestWithParam<Reader> {};

TEST_P(HostileFile, is_answered_in_a_few_words) {
  const Reader& reader = GetParam();
  const auto folder = TemporaryFolder::create("hostile").value();
  const fs::path file = folder.path() / reader.file_name;
  for (const Shape& shape : shapes()) {
    SCOPED_TRACE(shape.name);
    ASSERT_TRUE(write_file(file, shape.text));
    if (shape.hole > 0 &&
        ::truncate(file.c_str(), static_cast<off_t>(shape.text.size() + shape.hole)) != 0)
      continue;  // this file system has no file of 8 TiB
    const std::string said = reader.read(file);
    EXPECT_TRUE(reader.takes_any_words || !said.empty());
    EXPECT_LT(said.size(), 2000U) << said.substr(0, 2000);
    EXPECT_EQ(said.find("root:"), said.npos) << "of /etc/passwd";
  }
}

INSTANTIATE_TEST_SUITE_P(EveryReader, HostileFile, testing::ValuesIn(readers()),
                         [](const auto& one) { return one.param.name; });

// What ci/fuzz begins with reaches little where its reader refuses it at the first key.
TEST_P(HostileFile, of_the_corpus_begin_with_what_is_right) {
  const Reader& reader = GetParam();
  // These are about files that are not there: sources of the kernel, and the kernel that is named.
  static const std::set<std::string> need_more = {"kernel", "scenarios", "known_failures",
                                                  "upstream_bugs"};
  const fs::path corpus = fs::path(TUNECHECK_FUZZ_CORPUS) / reader.name;
  const auto folder = TemporaryFolder::create("seeds").value();
  int right = 0;
  for (const auto& seed : fs::directory_iterator(corpus)) {
    fs::copy_file(seed, folder.path() / reader.file_name, fs::copy_options::overwrite_existing);
    right += reader.read(folder.path() / reader.file_name).empty() ? 1 : 0;
  }
  EXPECT_TRUE(right > 0 || need_more.contains(reader.name)) << corpus;
}

TEST(ParseJson, takes_the_depth_that_is_allowed_and_no_more) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_NO_THROW((void)parse_json(nested(json_depth_limit)));
  EXPECT_THROW((void)parse_json(nested(json_depth_limit + 1)), nlohmann::json::parse_error);
  EXPECT_TRUE(parse_json_or_discard(nested(json_depth_limit + 1)).is_discarded());
  // Brackets in a text are none.
  const std::string text = "[\"" + std::string(1000, '[') + "\\\"[\"]";
  EXPECT_EQ(parse_json(text)[0].get<std::string>().size(), 1002U);
}

TEST(ReadInfo, takes_the_depth_that_is_allowed_and_no_more) {
  const auto nested = [](int depth) {
    return repeated("a {\n", depth) + "b 1\n" + repeated("}\n", depth);
  };
  EXPECT_TRUE(parse_info(nested(info_depth_limit), "a.info"));
  EXPECT_EQ(parse_info(nested(info_depth_limit + 1), "a.info").error().text(),
            "a.info:102: expected at most 100 braces around a key");
}

}  // namespace
}  // namespace tunecheck::test
