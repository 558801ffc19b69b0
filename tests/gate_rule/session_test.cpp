#include "gate/rule/session.hpp"

#include <cmath>
#include <map>

#include <gmock/gmock.h>

#include "random_pairs.hpp"

namespace tunecheck::test {
namespace {

using namespace gate;
using testing::HasSubstr;

const Settings session_settings;

// What each benchmark's head does; the numbers come from the seed.
struct Machine {
  std::vector<double> slowdowns;
  double deviation = 0.003;
  std::uint64_t seed = 1;

  Pair run(const Step& step) {
    return noisy_pairs(1, slowdowns[step.benchmark], deviation, ++seed)[0];
  }
};

struct Played {
  std::vector<Step> steps;
  Conclusion conclusion;
};

Played play(const std::vector<Benchmark>& benchmarks, Machine machine, std::uint64_t seed = 1) {
  Session session(benchmarks, session_settings, seed);
  Played played;
  while (const auto step = session.next()) {
    played.steps.push_back(*step);
    session.add(machine.run(*step));
  }
  played.conclusion = session.conclusion();
  return played;
}

const std::vector<Benchmark> three = {{"a"}, {"b"}, {"c"}};
const std::vector<Benchmark> with_canaries = {
    {"a"}, {"b"}, {"nothing", Role::same}, {"planted", Role::slowed}};

TEST(Session, answers_for_each_benchmark_and_as_a_whole) {
  const Conclusion conclusion = play(three, {{0, 0.05, -0.1}}).conclusion;
  ASSERT_EQ(conclusion.findings.size(), 3U);
  EXPECT_EQ(conclusion.findings[0].answer, Answer::pass);
  EXPECT_EQ(conclusion.findings[1].answer, Answer::regression);
  EXPECT_EQ(conclusion.findings[2].answer, Answer::improved);
  EXPECT_EQ(conclusion.answer, Answer::regression);
  EXPECT_EQ(play(three, {{0, 0, -0.1}}).conclusion.answer, Answer::improved);
  EXPECT_EQ(play(three, {{0, 0, 0}}).conclusion.answer, Answer::pass);
}

TEST(Session, with_right_answers_to_its_canaries_is_valid) {
  const Conclusion conclusion =
      play(with_canaries, {{0, 0, 0, session_settings.planted}}).conclusion;
  EXPECT_EQ(conclusion.reason, "");
  EXPECT_EQ(conclusion.answer, Answer::pass);  // the planted slowdown is not the run's
  EXPECT_EQ(conclusion.findings[3].answer, Answer::regression);
}

TEST(Session, with_a_wrong_answer_to_a_canary_is_invalid_and_says_what_to_do) {
  const Conclusion biased = play(with_canaries, {{0, 0, 0.05, 0.1}}).conclusion;
  EXPECT_EQ(biased.answer, Answer::invalid);
  EXPECT_THAT(biased.reason, HasSubstr("\"nothing\" got the answer regression"));
  EXPECT_THAT(biased.reason, HasSubstr("run the session again"));
  const Conclusion faster = play(with_canaries, {{0, 0, -0.1, 0.1}}).conclusion;
  EXPECT_THAT(faster.reason, HasSubstr("\"nothing\" got the answer improved"));
  const Conclusion blind = play(with_canaries, {{0, 0.05, 0, 0}}).conclusion;
  EXPECT_EQ(blind.answer, Answer::invalid);
  EXPECT_THAT(blind.reason, HasSubstr("\"planted\" got the answer pass"));
  EXPECT_THAT(blind.reason, HasSubstr("slowed down by 10 %"));
  EXPECT_EQ(blind.findings[1].answer, Answer::regression);  // still told
}

TEST(Session, whose_canary_cannot_be_measured_is_invalid_and_says_why) {
  for (const Role role : {Role::same, Role::slowed})
    for (const Side broken : {Side::base, Side::head}) {
      Session session({{"a"}, {"canary", role}}, session_settings, 1);
      std::uint64_t seed = 0;
      while (const auto step = session.next()) {
        Pair pair = noisy_pairs(1, 0, 0.003, ++seed)[0];
        if (step->benchmark == 1)
          (broken == Side::base ? pair.base : pair.head) = {{}, "exit status 7"};
        session.add(pair);
      }
      EXPECT_EQ(session.conclusion().answer, Answer::invalid);
      EXPECT_THAT(
          session.conclusion().reason,
          testing::MatchesRegex("the canary \"canary\" could not be measured: the .* failed "
                                "in pair 1.*: exit status 7"));
    }
}

TEST(Session, in_which_the_canary_drowns_in_scatter_is_invalid) {
  const Conclusion conclusion = play(with_canaries, {{0, 0, 0, 0.1}, 0.6}).conclusion;
  EXPECT_EQ(conclusion.answer, Answer::invalid);
  EXPECT_THAT(conclusion.reason, HasSubstr("\"planted\" got the answer inconclusive"));
  EXPECT_THAT(conclusion.reason, HasSubstr("quieter machine"));
}

TEST(Session, takes_fewer_pairs_for_the_slowdown_that_it_planted_than_for_the_tolerance) {
  const Conclusion conclusion =
      play({{"a"}, {"planted", Role::slowed}}, {{0.1, 0.1}, 0.06}).conclusion;
  EXPECT_GT(conclusion.findings[0].confirmation_pairs,
            conclusion.findings[1].confirmation_pairs + 10);
}

TEST(Session, without_a_benchmark_is_invalid) {
  EXPECT_EQ(play({}, {{}}).conclusion.reason, "no benchmark was measured");
  EXPECT_EQ(play({{"nothing", Role::same}}, {{0}}).conclusion.answer, Answer::invalid);
}

TEST(Session, interleaves_benchmarks_and_takes_each_once_a_round) {
  const Played played = play(three, {{0, 0, 0}});
  ASSERT_EQ(played.steps.size(), 30U);
  for (std::size_t round = 0; round < 10; ++round) {
    std::vector<std::size_t> seen;
    for (std::size_t i = 0; i < 3; ++i)
      seen.push_back(played.steps[3 * round + i].benchmark);
    EXPECT_THAT(seen, testing::UnorderedElementsAre(0, 1, 2)) << round;
  }
}

TEST(Session, draws_both_orders_by_lot) {
  std::map<std::size_t, int> first_of_round;
  int base_first = 0, steps = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Played played = play(three, {{0, 0, 0}}, seed);
    for (std::size_t i = 0; i < played.steps.size(); ++i) {
      if (i % 3 == 0) ++first_of_round[played.steps[i].benchmark];
      base_first += played.steps[i].first == Side::base ? 1 : 0;
      ++steps;
    }
  }
  EXPECT_NEAR(static_cast<double>(base_first) / steps, 0.5, 0.04);
  for (std::size_t benchmark = 0; benchmark < 3; ++benchmark)
    EXPECT_NEAR(first_of_round[benchmark] / 1000.0, 1.0 / 3, 0.07);
}

TEST(Session, has_the_same_steps_for_a_seed_and_others_for_another) {
  const Played first = play(three, {{0, 0.05, 0}}, 3), again = play(three, {{0, 0.05, 0}}, 3);
  EXPECT_TRUE(first.steps == again.steps);
  EXPECT_FALSE(first.steps == play(three, {{0, 0.05, 0}}, 4).steps);
}

TEST(Session, goes_on_where_it_was_interrupted) {
  Machine machine{{0, 0.05, 0}};
  Session whole(three, session_settings, 5);
  std::vector<Pair> stored;
  while (const auto step = whole.next()) {
    stored.push_back(machine.run(*step));
    whole.add(stored.back());
  }
  for (const std::size_t kept : {0U, 7U, 30U, 41U}) {
    Session resumed(three, session_settings, 5);
    for (std::size_t i = 0; i < kept; ++i)
      resumed.add(stored[i]);
    for (std::size_t i = kept; resumed.next(); ++i)
      resumed.add(stored[i]);
    EXPECT_EQ(resumed.conclusion().findings[1].reason, whole.conclusion().findings[1].reason);
    EXPECT_EQ(resumed.conclusion().answer, Answer::regression);
  }
}

TEST(Session, keeps_its_budget_over_benchmarks_that_fail_amid_a_confirmation) {
  // Two go on; one fails; the other's p-value must still be one of two.
  Session session({{"a"}, {"b"}}, session_settings, 1);
  std::size_t pairs_of_a = 0;
  while (const auto step = session.next()) {
    Pair pair = noisy_pairs(1, 0.05, 0.003, ++pairs_of_a)[0];
    if (step->benchmark == 1 && pairs_of_a > 30) pair.base.failure = "gone";
    session.add(pair);
  }
  const Conclusion conclusion = session.conclusion();
  EXPECT_EQ(conclusion.findings[0].answer, Answer::regression);
  EXPECT_EQ(conclusion.findings[1].answer, Answer::invalid);
  EXPECT_EQ(conclusion.answer, Answer::invalid);
}

// A run of 100 benchmarks that all are slower by just delta: the worst that may happen without any
// of them being a regression. Of runs, not of benchmarks, 1 % may report one.
TEST(Session, of_a_hundred_benchmarks_keeps_the_budget_of_one) {
  constexpr int runs = 300;
  const std::vector<Benchmark> benchmarks(100);
  int wrong_runs = 0;
  for (int run = 0; run < runs; ++run) {
    const Machine machine{std::vector<double>(100, session_settings.delta), 0.01,
                          static_cast<std::uint64_t>(run) * 1'000'000};
    const Conclusion conclusion =
        play(benchmarks, machine, static_cast<std::uint64_t>(run)).conclusion;
    wrong_runs += conclusion.answer == Answer::regression ? 1 : 0;
  }
  EXPECT_LE(wrong_runs, 10);  // 3 at most expected; 11 or more have a chance of 1 in 3,000
}

TEST(Session, of_a_hundred_benchmarks_finds_those_that_are_slower) {
  std::vector<double> slowdowns(100, 0);
  slowdowns[17] = slowdowns[42] = 0.05;
  const Conclusion conclusion = play(std::vector<Benchmark>(100), {slowdowns, 0.015}).conclusion;
  for (std::size_t i = 0; i < 100; ++i)
    EXPECT_EQ(conclusion.findings[i].answer == Answer::regression, i == 17 || i == 42) << i;
}

TEST(Joined, is_the_worst_answer) {
  EXPECT_EQ(joined({Answer::pass, Answer::improved}), Answer::improved);
  EXPECT_EQ(joined({Answer::inconclusive, Answer::improved}), Answer::inconclusive);
  EXPECT_EQ(joined({Answer::regression, Answer::inconclusive}), Answer::regression);
  EXPECT_EQ(joined({Answer::regression, Answer::invalid}), Answer::invalid);
  EXPECT_EQ(joined({}), Answer::invalid);
}

TEST(Answers, have_names) {
  EXPECT_EQ(to_string(Answer::pass), "pass");
  EXPECT_EQ(to_string(Answer::improved), "improved");
  EXPECT_EQ(to_string(Answer::inconclusive), "inconclusive");
  EXPECT_EQ(to_string(Answer::regression), "regression");
  EXPECT_EQ(to_string(Answer::invalid), "invalid");
}

}  // namespace
}  // namespace tunecheck::test
