// docs/adding-a-kernel.md, done as it stands there: its commands in the order of the page, with the
// files that it shows.
#include <gmock/gmock.h>

#include "console.hpp"
#include "page.hpp"

namespace tunecheck::test::adding_page {
namespace {

constexpr const char* kernel = "my_kernels/leaky_relu/";

const Page& page() {
  static const Page the_page("adding-a-kernel.md");
  return the_page;
}

void write_files(const Console& console) {
  for (const char* const name :
       {"kernel.info", "cpu.cpp", "naive.cpp", "gpu.cu", "reference.cpp", "scenario.info"})
    console.write(std::string(kernel) + name, page().file(std::string(kernel) + name));
}

// Each command of the section's blocks prints what the page shows.
void run_section(const Console& console, const std::string& section) {
  int commands = 0;
  for (const Block& block : page().blocks("console")) {
    if (block.section != section) continue;
    for (const Command& command : commands_of(block.text)) {
      ++commands;
      int status = -1;
      const std::string output = console.run(command.line, &status);
      EXPECT_EQ(status, 0) << command.line << '\n' << output;
      EXPECT_TRUE(is_shown_as(output, command.output)) << command.line << '\n' << output;
    }
  }
  EXPECT_GT(commands, 0) << section;
}

TEST(AddingPage, leads_from_the_idea_to_a_green_scenario_by_its_own_commands_and_files) {
  const Console console;
  run_section(console, "The folder");
  write_files(console);
  run_section(console, "Proof");
  run_section(console, "The scenario");
  run_section(console, "More than one folder");
}

TEST(AddingPage, its_kernel_is_tuned_as_it_shows) {
  const Console console;
  write_files(console);
  run_section(console, "The best config");
}

// The parts of a cell in backquotes.
std::vector<std::string> quoted(const std::string& cell) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; (at = cell.find('`', at)) != cell.npos;) {
    const std::size_t end = cell.find('`', at + 1);
    parts.push_back(cell.substr(at + 1, end - at - 1));
    at = end + 1;
  }
  return parts;
}

using Row = std::vector<std::string>;
std::vector<Row> first_mistakes() {
  return page().rows("First mistakes", "mistake");
}

// A row: the mistake; `FILE`: `THIS` becomes `THAT`, or is left out; `what is printed`.
class FirstMistake : public testing::TestWithParam<std::size_t> {};

TEST_P(FirstMistake, is_answered_in_the_words_of_the_page) {
  const Row row = first_mistakes().at(GetParam() - 1);
  const std::vector<std::string> change = quoted(row.at(1));
  const std::vector<std::string> message = quoted(row.at(2));
  ASSERT_TRUE(change.size() == 2 || change.size() == 3) << row.at(1);
  ASSERT_EQ(message.size(), 1U) << row.at(2);
  const Console console;
  write_files(console);
  std::string text = page().file(kernel + change[0]);
  const std::size_t at = text.find(change[1]);
  ASSERT_NE(at, text.npos) << change[1];
  text.replace(at, change[1].size(), change.size() == 3 ? change[2] : "");
  console.write(kernel + change[0], text);
  int status = -1;
  const std::string output =
      // None is in gpu.cu, which need not be compiled each time.
      console.run("tunecheck kernels prove leaky_relu --kernels my_kernels --backend cpu", &status);
  EXPECT_TRUE(has_shown(output, message[0])) << row.at(0) << '\n' << output;
  // Mistakes in kernel.info are found before anything is compiled; the others by the proof.
  EXPECT_EQ(status, message[0].starts_with("...kernel.info:") ? 3 : 1) << output;
}

INSTANTIATE_TEST_SUITE_P(Row, FirstMistake,
                         testing::Range<std::size_t>(1, first_mistakes().size() + 1));

TEST(Console, shows_any_words_where_the_page_has_dots_and_nothing_else) {
  EXPECT_TRUE(is_shown_as("a b\nc  d\n", "a\n...\nd"));
  EXPECT_TRUE(is_shown_as("a d", "a ... d")) << "no words are any words";
  EXPECT_TRUE(is_shown_as("took 1.25 s [*]", "took ... s [*]"));
  EXPECT_TRUE(is_shown_as("x=12ms", "x=...ms"));
  EXPECT_FALSE(is_shown_as("a b c", "a b"));
  EXPECT_FALSE(is_shown_as("a x", "a *"));
  EXPECT_TRUE(has_shown("a b c", "b"));
  EXPECT_FALSE(has_shown("a bc", "b"));
}

}  // namespace
}  // namespace tunecheck::test::adding_page
