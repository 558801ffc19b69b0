// docs/history.md: its example is what the program does, its schema is that of the code.
#include <gmock/gmock.h>

#include "console.hpp"
#include "core/files.hpp"
#include "page.hpp"

namespace tunecheck::test::history_page {
namespace {

using testing::HasSubstr;

const Page& page() {
  static const Page the_page("history.md");
  return the_page;
}

TEST(HistoryPage, example_is_what_the_program_does) {
  const Console console;
  for (const char* file : {"monday.json", "tuesday.json"})
    console.write(file, page().file(file));
  const auto blocks = page().blocks("console");
  ASSERT_EQ(blocks.size(), 1U);
  for (const Command& command : commands_of(blocks[0].text)) {
    const std::string output = console.run(command.line);
    EXPECT_TRUE(is_shown_as(output, command.output)) << command.line << "\n" << output;
  }
}

TEST(HistoryPage, schema_is_that_of_the_code) {
  const auto blocks = page().blocks("sql");
  ASSERT_EQ(blocks.size(), 1U);
  const std::string code =
      read_text_file(std::filesystem::path(TUNECHECK_DOCS) / "../framework/gate/history/schema.cpp")
          .value();
  std::string tables;
  for (std::size_t at = 0; (at = code.find("R\"sql(\n", at)) != code.npos;) {
    at += std::string("R\"sql(\n").size();
    tables += code.substr(at, code.find(")sql\"", at) - at);
  }
  EXPECT_EQ(blocks[0].text, tables);
}

}  // namespace
}  // namespace tunecheck::test::history_page
