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
    GateResult result = begun();
    TUNECHECK_CHECK(compare_programs(options(base, head, filter), result));
    return result;
  }

  static GateResult begun() {
    GateResult result;
    result.settings.screen_pairs = 7;
    result.settings.least_pairs = 20;
    result.settings.most_pairs = 20;
    return result;
  }
  ProgramOptions options(const std::string& base, const std::string& head,
                         const std::string& filter = "") const {
    return {program("base", base), program("head", head), filter, {}, folder.path(), nullptr};
  }

  // A session of equal programs, which ends when its canary has so many pairs. It goes on with what
  // is in `result`.
  GateResult session_of(const std::string& arguments, std::size_t pairs, GateResult result) const {
    GateResult left;
    ProgramOptions session = options(arguments, arguments);
    session.so_far = [&](const GateResult& now) -> Result<void> {
      left = now;
      if (now.benchmarks.back().pairs.size() < pairs) return {};
      return failure("no room on the disk");
    };
    const auto compared = compare_programs(session, result);
    EXPECT_FALSE(compared);
    if (left.benchmarks.empty()) {
      ADD_FAILURE() << "it did not begin: " << (compared ? "" : compared.error().text());
      left.benchmarks.emplace_back();
    }
    return left;
  }
  // From its beginning, with a canary that no noise makes faster. What works on the CPU alone is
  // found by looking at a process, which something beside the test may disturb.
  GateResult session_with(const CanaryOf& canary, const std::string& arguments) const {
    GateResult begin = begun();
    begin.settings.planted = 0.5;
    for (int time = 0; time < 6; ++time)
      if (session_of(arguments, 0, begin).benchmarks.back().canary_of == canary) break;
    return session_of(arguments, 4, begin);
  }

  // The slowdown of a canary's pairs from number `first` on, in CPU time.
  static double slowdown_in_cpu_time(const BenchmarkResult& canary, std::size_t first = 0) {
    std::vector<double> ratios;
    for (std::size_t i = first; i < canary.pairs.size(); ++i)
      if (const auto ratio = log_ratio(canary.pairs[i].pair, TimeKind::cpu))
        ratios.push_back(std::exp(*ratio));
    return ratios.empty() ? 0 : median(ratios);
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
  GateResult result;
  // Where something beside the test makes each process wait that is looked at, the canary is
  // stopped.
  for (int session = 0; session < 4; ++session) {
    result = compare(enough_to_be_interrupted, enough_to_be_interrupted, "add<int>/10").value();
    ASSERT_EQ(result.benchmarks.size(), 3U);
    if (result.benchmarks[2].canary_of.slowed_by == "work") break;
  }
  const BenchmarkResult& canary = result.benchmarks[2];
  EXPECT_EQ(canary.subject.name, "canary/slowed");
  EXPECT_EQ(canary.canary_of, (CanaryOf{"add<int>/10", "work"}));
  EXPECT_GT(slowdown_in_cpu_time(canary), 1.04) << "a tenth more, and nothing if it were stopped";
  expect_cpu_time(canary);
}

// As where something beside the session makes just the process wait that is looked at.
TEST_F(ProgramsCase, a_process_that_waited_once_does_not_end_the_canary_in_cpu_time) {
  const std::filesystem::path waited = folder.path() / "waited";
  const std::string once = fmt::format(
      "$(case \"$*\" in *list_tests*) ;; *) [ -e {0} ] || {{ : > {0}; echo --sleep=20; }} ;; esac)",
      waited.string());
  CanaryOf canary;
  for (int session = 0; session < 4 && canary.slowed_by != "work"; ++session) {
    std::filesystem::remove(waited);
    canary = session_of("--work=20000000 " + once, 0, begun()).benchmarks.back().canary_of;
    EXPECT_TRUE(std::filesystem::exists(waited));
  }
  EXPECT_EQ(canary, (CanaryOf{"add<int>/1", "work"}));
}

// The first one or two sleep, which no CPU time tells.
TEST_F(ProgramsCase, the_canary_is_of_the_first_benchmark_of_which_cpu_time_tells) {
  for (const int sleepy : {1, 2}) {
    const CanaryOf expected{sleepy == 1 ? "add<int>/10" : "third", "work"};
    const GateResult result = session_with(
        expected, fmt::format("--work=20000000 --sleep=20 --sleepy={} --extra=third", sleepy));
    ASSERT_EQ(result.benchmarks.size(), 5U);
    const BenchmarkResult& canary = result.benchmarks[4];
    EXPECT_EQ(canary.canary_of, expected);
    EXPECT_GT(slowdown_in_cpu_time(canary), 1.2) << "half more";
    expect_cpu_time(canary);
    EXPECT_GT(result.benchmarks[0].pairs.at(0).pair.base.waited,
              canary.pairs.at(0).pair.base.waited + 0.1)
        << "the first one sleeps";
  }
}

TEST_F(ProgramsCase, a_session_that_is_resumed_goes_on_with_its_canary) {
  const std::string works = "--work=20000000", sleeps = works + " --sleep=20";
  const CanaryOf work{"add<int>/1", "work"}, stops{"add<int>/1", "stops"};
  const GateResult by_work = session_with(work, works);
  const BenchmarkResult worked = session_of(sleeps, 8, by_work).benchmarks.back();
  EXPECT_EQ(worked.canary_of, work);
  expect_cpu_time(worked);
  EXPECT_GT(slowdown_in_cpu_time(worked, 4), 1.2) << "what came after works half more, too";

  const GateResult by_stops = session_with(stops, sleeps);
  const BenchmarkResult stopped = session_of(works, 8, by_stops).benchmarks.back();
  EXPECT_EQ(stopped.canary_of, stops);
  for (const PairRecord& record : stopped.pairs)
    EXPECT_TRUE(record.pair.head.cpu_samples.empty());
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ(stopped.pairs.at(i).pair.head.samples,
              by_stops.benchmarks.back().pairs.at(i).pair.head.samples);
}

TEST_F(ProgramsCase, a_session_that_does_not_say_how_its_canary_is_slowed_down_is_not_resumed) {
  const GateResult left = session_of("", 4, begun());
  for (const CanaryOf& of : {CanaryOf(), CanaryOf{"add<int>/1", ""}, CanaryOf{"gone", "work"}}) {
    GateResult resumed = left;
    resumed.benchmarks.back().canary_of = of;
    EXPECT_THAT(compare_programs(options("", ""), resumed).error().text(),
                HasSubstr("it does not say of which benchmark of these programs"))
        << of.benchmark;
  }
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
