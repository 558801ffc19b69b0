// docs/coverage.md is what `tunecheck scenarios coverage` prints, and nothing is missing in it.
#include <gmock/gmock.h>

#include "core/files.hpp"
#include "core/resources.hpp"
#include "judge/run/session.hpp"
#include "judge/scenario/coverage.hpp"

namespace tunecheck::test::coverage_page {
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

TEST(CoveragePage, leaves_no_bug_out) {
  for (const Error& gap : everything().coverage.gaps)
    ADD_FAILURE() << gap.text();
}

}  // namespace
}  // namespace tunecheck::test::coverage_page
