// docs/one-call.md: it names files and functions that exist, and what it shows is what the code
// reads and prints.
#include <algorithm>
#include <regex>
#include <sstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "adapter/protocol/messages.hpp"
#include "console.hpp"
#include "core/files.hpp"
#include "observe/evidence.hpp"
#include "page.hpp"

namespace tunecheck::test::one_call_page {
namespace {

namespace fs = std::filesystem;

const fs::path root = fs::path(TUNECHECK_DOCS).parent_path();

const Page& page() {
  static const Page the_page("one-call.md");
  return the_page;
}

std::string text_of(const fs::path& file) {
  return read_text_file(file).value_or("");
}

// Lines between fences left out.
std::string prose() {
  std::istringstream lines(text_of(fs::path(TUNECHECK_DOCS) / "one-call.md"));
  std::string text;
  bool is_block = false;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("```"))
      is_block = !is_block;
    else if (!is_block)
      text += line + '\n';
  return text;
}

struct Named {
  std::string file;
  std::string function;  // "" for the file itself
};

// Each file, and each function with the file that is named before it.
std::vector<Named> named_on_the_page() {
  static const std::regex pattern(
      R"(`((?:framework|reports|scenarios|kernels)/[A-Za-z0-9_./-]+)`|`([A-Za-z0-9_]+)\(\)`)");
  const std::string text = prose();
  std::vector<Named> all;
  std::string file;
  for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at) {
    if ((*at)[1].matched) file = (*at)[1];
    all.push_back({file, (*at)[2]});
  }
  return all;
}

// As a word of its own that is called or defined.
bool has_function(const std::string& source, const std::string& name) {
  return std::regex_search(source, std::regex("\\b" + name + "\\("));
}

TEST(OneCallPage, every_file_exists_and_has_the_functions_that_are_named_after_it) {
  std::string wrong;
  std::size_t functions = 0;
  for (const Named& each : named_on_the_page()) {
    if (!fs::is_regular_file(root / each.file))
      wrong += "there is no file \"" + each.file + "\" (" + each.function + ")\n";
    else if (!each.function.empty() && !has_function(text_of(root / each.file), each.function))
      wrong += each.file + " has no " + each.function + "()\n";
    functions += each.function.empty() ? 0U : 1U;
  }
  EXPECT_EQ(wrong, "");
  EXPECT_GT(functions, 30U);
}

TEST(OneCallPage, a_function_that_a_file_does_not_have_is_found) {
  EXPECT_TRUE(has_function("int read_all(int from);", "read_all"));
  EXPECT_FALSE(has_function("int read_all(int from);", "all"));
  EXPECT_FALSE(has_function("// read_all is gone", "read_all"));
}

TEST(OneCallPage, its_line_is_line_11_of_the_scenario_file) {
  const auto blocks = page().blocks("info");
  ASSERT_EQ(blocks.size(), 1U);
  std::istringstream lines(text_of(root / "scenarios/reload/restart.info"));
  std::string line;
  for (int number = 0; number < 11; ++number)
    std::getline(lines, line);
  EXPECT_EQ(line + '\n', blocks[0].text);
}

TEST(OneCallPage, its_request_and_answer_are_read) {
  int requests = 0, answers = 0;
  for (const Block& block : page().blocks("json")) {
    const auto json = nlohmann::json::parse(block.text, nullptr, false);
    ASSERT_FALSE(json.is_discarded()) << "line " << block.line;
    if (json.contains("request")) {
      ++requests;
      EXPECT_TRUE(protocol::parse_request(json.dump()).has_value()) << json.dump();
    } else if (json.contains("answer")) {
      ++answers;
      const auto answer = protocol::parse_call_answer(json.dump());
      ASSERT_TRUE(answer.has_value()) << answer.error().text();
      EXPECT_EQ(answer->trials.size(), 6U);
    }
  }
  EXPECT_EQ(requests, 2);
  EXPECT_EQ(answers, 1);
}

TEST(OneCallPage, its_evidence_is_read) {
  std::string lines;
  for (const Block& block : page().blocks("json evidence"))
    lines += block.text;
  const Console console;
  console.write("evidence.jsonl", lines);
  std::uint64_t from = 0;
  const auto evidence = read_evidence(console.folder() / "evidence.jsonl", from);
  ASSERT_TRUE(evidence.has_value()) << evidence.error().text();
  EXPECT_EQ(evidence->compiles.size(), 1U);
  ASSERT_EQ(evidence->launches.size(), 2U);
  EXPECT_TRUE(evidence->launches[1].ended);
}

TEST(OneCallPage, its_commands_print_what_it_shows) {
  const auto blocks = page().blocks("console");
  ASSERT_EQ(blocks.size(), 2U);
  const Console console;
  for (const Block& block : blocks)
    for (const Command& command : commands_of(block.text)) {
      const std::string output = console.run(command.line);
      EXPECT_TRUE(is_shown_as(output, command.output)) << command.line << '\n' << output;
    }
}

}  // namespace
}  // namespace tunecheck::test::one_call_page
