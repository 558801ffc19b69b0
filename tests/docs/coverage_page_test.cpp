// docs/coverage.md is what `tunecheck scenarios coverage` prints, and nothing is missing in it.
#include <gmock/gmock.h>

#include "core/files.hpp"
#include "core/resources.hpp"
#include "judge/coverage.hpp"
#include "judge/session.hpp"

namespace tunecheck::test {
namespace {

struct Everything {
  std::vector<UpstreamBug> bugs;
  Catalogue catalogue;
  Coverage coverage;
};

Everything everything() {
  const auto file = find_resources().scenarios / upstream_bugs_file;
  Everything all;
  all.bugs = read_upstream_bugs(file).value();
  all.catalogue = read_catalogue({}).value();
  all.coverage = cover(all.bugs, upstream_bugs_file, all.catalogue.scenarios);
  return all;
}

TEST(CoveragePage, is_what_the_command_prints) {
  EXPECT_EQ(read_text_file(std::filesystem::path(TUNECHECK_DOCS) / "coverage.md").value(),
            everything().coverage.markdown)
      << "tunecheck scenarios coverage > docs/coverage.md";
}

// A family of bugs without any scenario is one whose scenarios are still to come, and the page says
// "none yet" in each of its lines; once there is one, every bug of the family must be shown.
TEST(CoveragePage, leaves_no_bug_out_of_a_family_that_has_scenarios) {
  const Everything all = everything();
  for (const Error& gap : all.coverage.gaps) {
    const auto bug = std::find_if(all.bugs.begin(), all.bugs.end(), [&](const UpstreamBug& each) {
      return gap.key == "bug" && each.line == gap.line;
    });
    const bool to_come =
        bug != all.bugs.end() &&
        std::none_of(all.catalogue.scenarios.begin(), all.catalogue.scenarios.end(),
                     [&](const auto& scenario) { return scenario.second.family == bug->family; });
    EXPECT_TRUE(to_come) << gap.text();
  }
}

}  // namespace
}  // namespace tunecheck::test
