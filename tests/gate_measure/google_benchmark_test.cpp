// Programs of Google Benchmark, played by a small one that really measures.
#include "gate/measure/google_benchmark.hpp"

#include <cmath>

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

  // Whose times CPU time decides, and whose wall time, is up to the machine; that it is known is
  // not.
  static void expect_cpu_time(const BenchmarkResult& benchmark) {
    for (const PairRecord& record : benchmark.pairs)
      for (const ProcessRun& run : {record.pair.base, record.pair.head}) {
        EXPECT_EQ(run.cpu_samples.size(), run.samples.size());
        EXPECT_GE(run.waited, 0);
        EXPECT_GE(run.waits, 0);
      }
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

// Stopping a process does not change its CPU time, by which a session beside busy cores decides.
TEST_F(ProgramsCase, the_canary_of_a_program_that_works_on_the_cpu_alone_is_slower_in_cpu_time) {
  const std::string enough_to_be_interrupted = "--work=20000000";
  const GateResult result =
      compare(enough_to_be_interrupted, enough_to_be_interrupted, "add<int>/10").value();
  ASSERT_EQ(result.benchmarks.size(), 3U);
  const BenchmarkResult& canary = result.benchmarks[2];
  EXPECT_EQ(canary.subject.name, "canary/slowed");
  std::vector<double> ratios;
  for (const PairRecord& record : canary.pairs)
    ratios.push_back(std::exp(log_ratio(record.pair, TimeKind::cpu).value()));
  EXPECT_NEAR(median(ratios), 1.1, 0.06);
  expect_cpu_time(canary);
}

TEST_F(ProgramsCase, a_program_that_sleeps_is_judged_by_wall_time) {
  const GateResult result = compare("--sleep=2", "--sleep=4", "add<int>/10").value();
  EXPECT_EQ(result.benchmarks[0].finding.answer, Answer::regression)
      << result.benchmarks[0].finding.reason;
  EXPECT_EQ(result.benchmarks[0].finding.decided_by, TimeKind::wall);
  EXPECT_GT(result.benchmarks[0].pairs[0].pair.base.waited, 0.3);
  EXPECT_TRUE(result.benchmarks[0].pairs[0].pair.base.cpu_samples.empty())
      << "no canary shows that CPU time tells";
}

// What comes before the benchmark takes most of the time.
TEST_F(ProgramsCase, many_short_waits_are_seen_whatever_else_the_process_does) {
  const GateResult result = compare("--work=4000000 --repetitions=40",
                                    "--work=4000000 --repetitions=40 --sleep=1", "add<int>/10")
                                .value();
  const ProcessRun& head = result.benchmarks[0].pairs[0].pair.head;
  EXPECT_GT(head.waits, most_waits);
  EXPECT_EQ(head.cpu_samples.size(), 40U);
  EXPECT_EQ(result.benchmarks[0].finding.decided_by, TimeKind::wall);
}

// Its CPU time is that of all threads, and its first one does nothing.
TEST_F(ProgramsCase, a_program_that_works_in_another_thread_waits) {
  const GateResult result =
      compare("--elsewhere --work=5000000", "--elsewhere --work=10000000", "add<int>/10").value();
  EXPECT_EQ(result.benchmarks[0].finding.decided_by, TimeKind::wall);
  EXPECT_GT(result.benchmarks[0].pairs[0].pair.base.waited, 0.3);
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
