// docs/reports.md: its examples, run as they stand there, and its table of formats.
#include <gmock/gmock.h>

#include "console.hpp"
#include "page.hpp"
#include "reports/report_formats.hpp"

namespace tunecheck::test::reports_page {
namespace {

TEST(ReportsPage, its_examples_do_what_they_show) {
  const Console console;
  for (const Block& block : Page("reports.md").blocks("console"))
    for (const Command& command : commands_of(block.text)) {
      const std::string output = console.run(command.line);
      EXPECT_TRUE(is_shown_as(output, command.output)) << command.line << '\n' << output;
    }
}

TEST(ReportsPage, lists_every_format_and_no_other) {
  std::vector<std::string> names;
  for (const ReportFormat& format : report_formats())
    names.emplace_back(format.name);
  EXPECT_THAT(Page("reports.md").names_in_table("Reports", "format"),
              testing::ElementsAreArray(names));
}

}  // namespace
}  // namespace tunecheck::test::reports_page
