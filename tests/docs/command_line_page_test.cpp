// docs/command-line.md: its examples, its file of options, and its table of fields.
#include <filesystem>

#include <gmock/gmock.h>

#include "console.hpp"
#include "judge/scenario/scenario_filter.hpp"
#include "page.hpp"

namespace tunecheck::test::command_line_page {
namespace {

TEST(CommandLinePage, its_examples_do_what_they_show) {
  const Console console;
  for (const Block& block : Page("command-line.md").blocks("console"))
    for (const Command& command : commands_of(block.text)) {
      const std::string output = console.run(command.line);
      EXPECT_TRUE(is_shown_as(output, command.output)) << command.line << '\n' << output;
    }
}

TEST(CommandLinePage, its_file_of_options_has_no_mistake) {
  const Console console;
  console.write("tunecheck.info", Page("command-line.md").file("tunecheck.info"));
  std::filesystem::create_directories(console.folder() / "my_kernels");
  int status = -1;
  const std::string output = console.run("tunecheck checks list >listed.txt", &status);
  EXPECT_EQ(status, 0) << output;
  EXPECT_EQ(output, "");
}

TEST(CommandLinePage, lists_every_field_and_no_other) {
  EXPECT_THAT(Page("command-line.md").names_in_table("Which scenarios", "field"),
              testing::UnorderedElementsAreArray(filter_fields()));
}

}  // namespace
}  // namespace tunecheck::test::command_line_page
