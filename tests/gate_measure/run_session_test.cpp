// Sessions whose processes are computed: what is run, kept, resumed and answered.
#include "gate/measure/run_session.hpp"

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/normal_distribution.hpp>
#include <gmock/gmock.h>

namespace tunecheck::gate {
namespace {

using testing::HasSubstr;

// A program of which a process takes 100 and a little, or as much more as its side is slower.
class Machine {
 public:
  explicit Machine(double slowdown) : m_slowdown(slowdown) {}

  Runnable runnable(const std::string& name) {
    return {{name, "time", "", "", "cpu", "ns"},
            Role::measured,
            [this](Side side, std::size_t number, bool is_slowed) {
              return run(side, number, is_slowed);
            },
            "work"};
  }

  // A process's time depends on its side and number alone, so that a resumed session sees the same.
  Result<ProcessRun> run(Side side, std::size_t number, bool is_slowed) {
    ++processes;
    if (processes == breaks_down_at) return failure("no room on the disk");
    if (side == Side::head && number + 1 == head_fails_in) return ProcessRun{{}, "signal 11"};
    if (side == Side::base && number + 1 == base_fails_in) return ProcessRun{{}, "signal 6"};
    boost::random::mt19937 random(static_cast<std::uint32_t>(2 * number + (is_slowed ? 1000 : 0)) +
                                  (side == Side::head ? 1 : 0));
    const double noise = boost::random::normal_distribution<double>(0, 0.002)(random);
    const double factor = (side == Side::head ? 1 + m_slowdown : 1) * (is_slowed ? planted : 1);
    return ProcessRun{{100 * factor * (1 + noise)}, ""};
  }

  int processes = 0, breaks_down_at = -1;
  std::size_t head_fails_in = 0, base_fails_in = 0;
  double planted = 1.1;

 private:
  double m_slowdown;
};

Result<GateResult> session(Machine& machine, GateResult result = {},
                           const SessionHooks& hooks = {}) {
  std::vector<Runnable> runnables = {machine.runnable("one"), machine.runnable("two")};
  runnables.push_back(same_canary(of_base_alone(runnables.front()), ""));
  runnables.push_back(slowed_canary(runnables.front(), runnables));
  TUNECHECK_CHECK(run_session(runnables, hooks, result));
  return result;
}

TEST(RunSession, a_slower_head_is_a_regression_with_both_canaries_right) {
  Machine machine(0.06);
  const GateResult result = session(machine).value();
  EXPECT_EQ(result.answer, Answer::regression) << result.reason;
  EXPECT_TRUE(result.is_complete);
  ASSERT_EQ(result.benchmarks.size(), 4U);
  EXPECT_EQ(result.benchmarks[0].finding.answer, Answer::regression);
  EXPECT_EQ(result.benchmarks[2].subject.name, "canary/same");
  EXPECT_EQ(result.benchmarks[2].finding.answer, Answer::pass) << "of base processes alone";
  EXPECT_EQ(result.benchmarks[2].canary_of, (CanaryOf{"one", ""}));
  EXPECT_EQ(result.benchmarks[3].canary_of, (CanaryOf{"one", "work"}));
  EXPECT_EQ(result.benchmarks[3].finding.answer, Answer::regression);
  EXPECT_EQ(result.benchmarks[0].pairs.size(), 50U);
}

TEST(RunSession, the_slowed_canary_is_of_the_first_benchmark_that_can_be_slowed_down) {
  Machine machine(0);
  std::vector<Runnable> runnables;
  for (const char* const name : {"one", "two", "three"})
    runnables.push_back(machine.runnable(name));
  runnables[0].slowed_by = "";
  EXPECT_EQ(slowed_canary(runnables[2], runnables).canary_of, (CanaryOf{"two", "work"}));
  runnables[1].slowed_by = "";
  EXPECT_EQ(slowed_canary(runnables[0], runnables).canary_of, (CanaryOf{"three", "work"}));
  const Runnable otherwise = runnables[2];
  runnables.pop_back();
  EXPECT_EQ(slowed_canary(otherwise, runnables).canary_of, (CanaryOf{"three", "work"}));
}

// As on a GPU, where the side that is not slowed is compiled as the one that is.
TEST(RunSession, the_slowed_canary_runs_what_the_benchmark_has_for_it_on_both_sides) {
  Machine machine(0.5);
  std::vector<Runnable> runnables = {machine.runnable("one")};
  runnables[0].slowed_by = "loop";
  std::vector<bool> slowed;
  runnables[0].as_slowed_canary = [&](std::size_t number, bool is_slowed) {
    slowed.push_back(is_slowed);
    return machine.run(Side::base, number, is_slowed);
  };
  const Runnable otherwise = machine.runnable("two");
  runnables.push_back(slowed_canary(otherwise, runnables));
  GateResult result;
  ASSERT_TRUE(run_session(runnables, {}, result));
  const BenchmarkResult& canary = result.benchmarks[1];
  EXPECT_EQ(canary.canary_of, (CanaryOf{"one", "loop"}));
  EXPECT_EQ(canary.finding.answer, Answer::regression);
  EXPECT_EQ(slowed.size(), 2 * canary.pairs.size());
  EXPECT_EQ(std::count(slowed.begin(), slowed.end(), true),
            static_cast<std::ptrdiff_t>(canary.pairs.size()));
  EXPECT_EQ(result.benchmarks[0].finding.answer, Answer::regression) << "of its own processes";
}

TEST(RunSession, equal_builds_pass) {
  Machine machine(0);
  EXPECT_EQ(session(machine)->answer, Answer::pass);
}

TEST(RunSession, a_planted_slowdown_that_nobody_sees_makes_it_invalid) {
  Machine machine(0);
  machine.planted = 1.001;
  const GateResult result = session(machine).value();
  EXPECT_EQ(result.answer, Answer::invalid);
  EXPECT_EQ(result.exit_status(), 4);
  EXPECT_THAT(result.reason, HasSubstr("canary/slowed"));
}

TEST(RunSession, either_side_is_first_about_as_often) {
  Machine machine(0.06);
  const GateResult result = session(machine).value();
  const auto& pairs = result.benchmarks[0].pairs;
  const auto base_first = std::count_if(
      pairs.begin(), pairs.end(), [](const PairRecord& pair) { return pair.first == Side::base; });
  EXPECT_GT(base_first, 8);
  EXPECT_LT(base_first, 32);
}

TEST(RunSession, a_head_that_crashes_in_pair_17_is_a_regression_that_says_so) {
  Machine machine(0.06);
  machine.head_fails_in = 17;
  const GateResult result = session(machine).value();
  EXPECT_EQ(result.benchmarks[0].finding.answer, Answer::regression);
  EXPECT_THAT(result.benchmarks[0].finding.reason,
              HasSubstr("the head failed in pair 17, the base did not: signal 11"));
}

TEST(RunSession, a_base_that_fails_makes_it_invalid) {
  Machine machine(0);
  machine.base_fails_in = 3;
  const GateResult result = session(machine).value();
  EXPECT_EQ(result.answer, Answer::invalid);
  EXPECT_THAT(result.benchmarks[0].finding.reason, HasSubstr("the base failed in pair 3"));
}

TEST(RunSession, what_was_measured_when_the_judge_broke_down_is_reported_and_resumed) {
  Machine undisturbed(0.06);
  const GateResult whole = session(undisturbed).value();
  GateResult left;
  SessionHooks hooks;
  hooks.so_far = [&](const GateResult& result) -> Result<void> {
    left = result;
    return {};
  };
  Machine machine(0.06);
  machine.breaks_down_at = 50;
  EXPECT_THAT(session(machine, {}, hooks).error().text(), HasSubstr("no room"));
  EXPECT_FALSE(left.is_complete);
  EXPECT_EQ(left.exit_status(), 4);
  Machine rest(0.06);
  const GateResult resumed = session(rest, left).value();
  EXPECT_EQ(resumed.benchmarks[0].finding.change, whole.benchmarks[0].finding.change);
  EXPECT_EQ(resumed.answer, whole.answer);
  EXPECT_EQ(rest.processes, undisturbed.processes - 48);
}

TEST(RunSession, another_session_is_not_resumed) {
  Machine machine(0);
  GateResult other = session(machine).value();
  other.benchmarks[3].canary_of = {"two", "stops"};
  EXPECT_EQ(session(machine, other).error().text(),
            "the session cannot be resumed: its \"canary/slowed\" was of \"two\", slowed down by: "
            "stops, and now it is of \"one\", slowed down by: work");
  other.benchmarks[0].subject.name = "three";
  EXPECT_THAT(session(machine, other).error().text(), HasSubstr("cannot be resumed"));
  other.benchmarks.pop_back();
  EXPECT_THAT(session(machine, other).error().text(), HasSubstr("it had 3 benchmarks"));
}

TEST(RunSession, one_count_more_is_a_regression_whatever_the_clock_says) {
  Machine machine(0);
  SessionHooks hooks;
  hooks.count = [](GateResult& result) {
    result.counts = {{{"compiles", "", "", "", "", ""},
                      compare_counts(std::vector<std::int64_t>{0}, std::vector<std::int64_t>{1}),
                      {0},
                      {1}}};
  };
  EXPECT_EQ(session(machine, {}, hooks)->answer, Answer::regression);
}

}  // namespace
}  // namespace tunecheck::gate
