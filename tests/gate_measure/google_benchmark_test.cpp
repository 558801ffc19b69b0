// Programs of Google Benchmark, played by a small one that really measures.
#include "gate/measure/google_benchmark.hpp"

#include <gmock/gmock.h>

#include "core/files.hpp"

namespace tunecheck::gate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class ProgramsCase : public testing::Test {
 protected:
  // A program is one file, so that what it is told must stand in a script.
  std::filesystem::path program(const std::string& name, const std::string& arguments) const {
    const auto file = folder.path() / name;
    EXPECT_TRUE(
        write_file(file, "#!/bin/sh\nexec " TUNECHECK_TOY_BENCHMARK " " + arguments + " \"$@\"\n"));
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    return file;
  }

  Result<GateResult> compare(const std::string& base, const std::string& head,
                             const std::string& filter = "") const {
    GateResult result;
    result.settings.screen_pairs = 7;
    result.settings.least_pairs = 20;
    result.settings.most_pairs = 20;
    ProgramOptions options{
        program("base", base), program("head", head), filter, {}, folder.path(), nullptr};
    TUNECHECK_CHECK(compare_programs(options, result));
    return result;
  }

  const TemporaryFolder folder = TemporaryFolder::create("tunecheck-gaterun").value();
};

TEST_F(ProgramsCase, a_program_that_takes_three_times_as_long_is_a_regression) {
  GateResult result;
  // Where something beside the test disturbs just these seconds, the session cannot tell, and says
  // so.
  for (int session = 0; session < 4; ++session) {
    result = compare("", "--work=300000").value();
    ASSERT_EQ(result.benchmarks.size(), 4U);
    if (result.benchmarks[0].finding.answer == Answer::regression) break;
  }
  EXPECT_EQ(result.benchmarks[0].subject.name, "add<int>/1");
  EXPECT_EQ(result.benchmarks[0].finding.answer, Answer::regression)
      << result.benchmarks[0].finding.reason;
  EXPECT_EQ(result.benchmarks[0].pairs[0].pair.base.samples.size(), 5U);
}

TEST_F(ProgramsCase, the_filter_chooses_and_what_one_alone_has_is_listed) {
  const GateResult result = compare("--extra=old", "--extra=new", "10|old|new").value();
  ASSERT_EQ(result.benchmarks.size(), 3U);
  EXPECT_EQ(result.benchmarks[0].subject.name, "add<int>/10");
  EXPECT_THAT(result.removed, ElementsAre("old"));
  EXPECT_THAT(result.added, ElementsAre("new"));
  ASSERT_EQ(result.renamed.size(), 1U);
}

TEST_F(ProgramsCase, a_benchmark_that_fails_in_the_head_alone_is_a_regression) {
  const GateResult result = compare("", "'--fail=add<int>/10'").value();
  EXPECT_EQ(result.benchmarks[1].finding.answer, Answer::regression);
  EXPECT_THAT(result.benchmarks[1].finding.reason, HasSubstr("the head failed in pair 1"));
  EXPECT_THAT(result.benchmarks[1].finding.reason, HasSubstr("exit status 7"));
}

TEST_F(ProgramsCase, programs_without_a_common_benchmark_are_refused) {
  EXPECT_THAT(compare("--extra=a", "--extra=b", "^[ab]$").error().text(),
              HasSubstr("no benchmark in common"));
}

}  // namespace
}  // namespace tunecheck::gate
