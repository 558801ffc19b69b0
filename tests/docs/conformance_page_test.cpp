// docs/conformance.md is what `tunecheck matrix` makes of the results in docs/conformance/, and
// docs/matrix.md says what the command does.
#include <algorithm>
#include <regex>
#include <set>

#include <gmock/gmock.h>

#include "console.hpp"
#include "core/files.hpp"
#include "page.hpp"
#include "reports/matrix/matrix_json.hpp"

namespace tunecheck::test::conformance_page {
namespace {

namespace fs = std::filesystem;

const fs::path docs = TUNECHECK_DOCS;

// In the order of a shell's *.
std::vector<fs::path> results() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(docs / "conformance"))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

TEST(ConformancePage, is_what_the_program_prints) {
  int status = -1;
  const std::string page = Console().run(
      "cd '" + docs.string() + "' && tunecheck matrix conformance/*.json --format markdown",
      &status);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(read_text_file(docs / "conformance.md").value(), page)
      << "tunecheck matrix docs/conformance/*.json --format markdown --out docs/conformance.md";
}

TEST(ConformancePage, has_a_line_for_every_result_and_fits_a_screen) {
  const std::string text = read_text_file(docs / "conformance.md").value();
  std::size_t lines = 0;
  for (const char letter : text)
    lines += letter == '\n' ? 1 : 0;
  EXPECT_LT(lines, 60U);
  for (const fs::path& file : results()) {
    const auto tuners = read_results(file);
    ASSERT_TRUE(tuners) << tuners.error().text();
    for (const MatrixTuner& tuner : *tuners)
      EXPECT_NE(text.find(tuner.device), text.npos) << file;
  }
}

TEST(MatrixPage, its_example_prints_what_it_shows) {
  const Console console;
  const auto blocks = Page("matrix.md").blocks("console");
  ASSERT_EQ(blocks.size(), 1U);
  for (const Command& command : commands_of(blocks[0].text)) {
    const std::string output = console.run(command.line);
    EXPECT_TRUE(is_shown_as(output, command.output)) << command.line << '\n' << output;
  }
}

TEST(MatrixPage, names_every_option_of_the_command_and_no_other) {
  const std::string help = Console().run("tunecheck matrix --help");
  std::set<std::string> options;
  const std::regex option(R"(\n\s+(?:-\w,)?(--[a-z-]+))");
  for (std::sregex_iterator at(help.begin(), help.end(), option), end; at != end; ++at)
    options.insert((*at)[1]);
  options.erase("--help");
  std::set<std::string> described;
  for (const std::string& name : Page("matrix.md").names_in_table("tunecheck matrix", "option"))
    if (name.starts_with("--")) described.insert(name);
  EXPECT_EQ(described, options) << help;
}

}  // namespace
}  // namespace tunecheck::test::conformance_page
