// Every reader of a text that tunecheck itself need not have written, and every shape of file that
// is made to end its reader. A reader answers each with an error of bounded length,
// which the command line prints as one printable line.
#include <functional>
#include <string>
#include <unistd.h>

#include <gmock/gmock.h>

#include "adapter/protocol/messages.hpp"
#include "backend/gpu/compile_lines.hpp"
#include "backend/sim/artifact.hpp"
#include "core/files.hpp"
#include "core/info.hpp"
#include "core/kernel.hpp"
#include "core/parse_json.hpp"
#include "gate/history/google_benchmark.hpp"
#include "gate/rule/google_benchmark_json.hpp"
#include "harness/kernel/isolated_run.hpp"
#include "harness/process/adapter_info.hpp"
#include "judge/scenario/coverage.hpp"
#include "judge/scenario/known_marks.hpp"
#include "judge/scenario/scenario.hpp"
#include "observe/evidence.hpp"
#include "observe/spy_settings.hpp"
#include "reports/matrix/matrix_json.hpp"
#include "reports/stored/gate_json.hpp"
#include "reports/stored/report_sources.hpp"
#include "reports/stored/result_reader.hpp"
#include "tuner/cache_command/bundle.hpp"
#include "tuner/store/entry_format.hpp"

namespace tunecheck::test {
namespace {

namespace fs = std::filesystem;

// What a reader says; "" where it takes the file for good.
template <class Value>
std::string said(const Result<Value>& result) {
  return result ? std::string() : result.error().text();
}

struct Reader {
  std::string name;
  std::function<std::string(const fs::path&)> read;
  std::string file_name = "file";  ///< that the reader looks for
  bool takes_any_words = false;    ///< some shapes are no mistake
};

// One that takes a text: the file is read first.
template <class Parse>
std::function<std::string(const fs::path&)> of_text(Parse parse) {
  return [parse](const fs::path& file) -> std::string {
    const auto text = read_text_file(file);
    return text ? said(parse(*text)) : text.error().text();
  };
}

const std::vector<Reader>& readers() {
  static const std::vector<Reader> all = {
      {"info", [](const fs::path& file) { return said(read_info_file(file)); }, "file", true},
      {"kernel", [](const fs::path& file) { return said(read_kernel(file.parent_path())); },
       "kernel.info"},
      {"scenarios", [](const fs::path& file) { return said(read_scenarios(file, {})); }},
      {"known_failures",
       [](const fs::path& file) { return said(read_known_failures({file}, {})); }},
      {"upstream_bugs", [](const fs::path& file) { return said(read_upstream_bugs(file)); }},
      {"adapter_info", [](const fs::path& file) { return said(read_adapter_info(file)); }},
      {"result", [](const fs::path& file) { return said(read_result(file)); }},
      {"gate", [](const fs::path& file) { return said(read_gate(file)); }},
      {"matrix", [](const fs::path& file) { return said(read_results(file)); }},
      {"report_sources", [](const fs::path& file) { return said(read_report_sources({file})); }},
      {"google_benchmark",
       of_text([](const std::string& text) { return gate::parse_google_benchmark(text, "file"); })},
      {"google_benchmark_of_a_history", of_text([](const std::string& text) {
         return history::read_google_benchmark({{"file", text}});
       })},
      {"entry", of_text([](const std::string& text) { return parse_entry(text); })},
      {"bundle",
       [](const fs::path& file) {
         return said(cache::read_bundle(file, file.parent_path() / "cache"));
       }},
      // A line that has no end yet is not read.
      {"evidence",
       [](const fs::path& file) {
         std::uint64_t from = 0;
         return said(read_evidence(file, from));
       },
       "file", true},
      {"spy_settings", [](const fs::path& file) { return said(read_spy_settings(file)); }},
      {"hello", of_text([](const std::string& text) { return protocol::parse_hello(text); })},
      {"request", of_text([](const std::string& text) { return protocol::parse_request(text); })},
      {"answer",
       of_text([](const std::string& text) { return protocol::parse_call_answer(text); })},
      {"answers",
       of_text([](const std::string& text) { return protocol::parse_call_answers(text, 2); })},
      {"isolated_run", of_text([](const std::string& text) { return parse_isolated_run(text); })},
      {"isolated_result",
       of_text([](const std::string& text) { return parse_isolated_result(text); })},
      {"compile_line", of_text([](const std::string& text) { return parse_compile_line(text); })},
      {"compile_outcome", of_text([](const std::string& text) { return parse_outcome(text); })},
  };
  return all;
}

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

void PrintTo(const Reader& reader, std::ostream* out) {
  *out << reader.name;
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
  EXPECT_EQ(said(parse_info(nested(info_depth_limit + 1), "a.info")),
            "a.info:102: expected at most 100 braces around a key");
}

}  // namespace
}  // namespace tunecheck::test
