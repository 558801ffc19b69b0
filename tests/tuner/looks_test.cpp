// What several looks at a config say, and which configs are looked at again.
#include "tuner/search/looks.hpp"

#include <gmock/gmock.h>

#include "tuner/search/finalists.hpp"
#include "tuner/trial/drift_watch.hpp"

namespace tunecheck {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::int64_t> samples_of(std::int64_t ns) {
  return std::vector<std::int64_t>(8, ns);
}

// The median of config 0 after these looks, one config after the other in each round.
double judged(const std::vector<std::vector<std::int64_t>>& rounds) {
  LookBook book(rounds.front().size());
  for (const auto& round : rounds)
    for (std::size_t config = 0; config < round.size(); ++config)
      book.add(config, samples_of(round[config]));
  book.find_disturbed();
  Trial trial;
  judge_looks(trial, book.of(0));
  return trial.median_ns;
}

TEST(Looks, the_slower_one_of_two_counts_and_the_middle_one_of_three) {
  EXPECT_EQ(judged({{100}, {150}}), 150);
  EXPECT_EQ(judged({{100}, {150}, {101}}), 101);
  EXPECT_EQ(judged({{40}, {100}, {100}}), 100);
}

TEST(Looks, that_are_slow_beside_a_slow_look_at_another_config_are_left_out) {
  EXPECT_EQ(judged({{100, 200}, {160, 320}, {160, 320}, {160, 200}, {100, 200}}), 100);
  EXPECT_EQ(judged({{100, 200}, {160, 200}, {160, 200}, {160, 200}, {100, 200}}), 160);
}

TEST(Looks, that_were_forgotten_are_no_witnesses) {
  LookBook book(2);
  for (const std::int64_t ns : {100, 100, 100, 160}) {
    book.add(0, samples_of(ns));
    book.add(1, samples_of(2 * ns));
  }
  book.find_disturbed();
  EXPECT_EQ(book.sure_looks(0, 0), 3);
  EXPECT_EQ(book.sure_looks(0, 3), 0);
  book.forget(1);
  book.find_disturbed();
  EXPECT_EQ(book.sure_looks(0, 0), 4);
  EXPECT_FALSE(book.agree(0));
}

std::vector<Trial> trials_of(const std::vector<double>& medians) {
  std::vector<Trial> trials;
  for (const double ns : medians)
    trials.push_back({{}, "", ns, ns, ns, 8});
  return trials;
}

TEST(Finalists, reach_to_twice_the_fastest_and_then_less_far) {
  const auto trials = trials_of({100, 150, 190, 210});
  std::vector<LooksAgain> again(4);
  EXPECT_THAT(finalists(trials, again), ElementsAre(0, 1, 2));
  again = {{1, true}, {1, true}, {1, true}, {0, true}};
  EXPECT_THAT(finalists(trials, again), ElementsAre(0, 1));
  again[1].looks = 2;
  again[0].looks = 2;
  EXPECT_THAT(finalists(trials, again), ElementsAre(0, 1));  // one as a witness
  again[0].looks = 3;
  EXPECT_THAT(finalists(trials, again), IsEmpty());
  again[0].agree = false;
  EXPECT_THAT(finalists(trials, again), ElementsAre(0, 1));
}

TEST(Finalists, are_none_where_no_other_could_win) {
  EXPECT_THAT(finalists(trials_of({100}), std::vector<LooksAgain>(1)), IsEmpty());
}

TEST(DriftWatch, a_jump_counts_where_the_next_look_says_the_same) {
  DriftWatch passing;
  DriftWatch lasting;
  for (DriftWatch* const watch : {&passing, &lasting}) {
    watch->saw_baseline(0, 100);
    watch->saw_baseline(10, 101);
    watch->saw_baseline(20, 150);
    EXPECT_EQ(watch->latest_ns(), 101);
  }
  passing.saw_baseline(30, 102);
  EXPECT_EQ(passing.slowdown(20), 1.015);
  lasting.saw_baseline(30, 151);
  EXPECT_EQ(lasting.slowdown(20), 1.5);
}

TEST(DriftWatch, of_configs_that_were_measured_again_three_quarters_say_how_the_device_changed) {
  const DriftWatch watch;
  EXPECT_EQ(watch.common_change({}), 1);
  EXPECT_EQ(watch.common_change({1.3}), 1);
  EXPECT_EQ(watch.common_change({1.3, 1.1}), 1.1);
  EXPECT_EQ(watch.common_change({0.7, 0.9}), 0.9);
  EXPECT_EQ(watch.common_change({1.3, 1.0}), 1);  // one of them has two speeds
  EXPECT_EQ(watch.common_change({1.3, 0.9, 1.1}), 1);
  EXPECT_EQ(watch.common_change({1.3, 0.5, 1.2, 1.1}), 1.1);  // one was lucky
  EXPECT_EQ(watch.common_change({0.8, 2.0, 0.7, 0.9}), 0.9);  // one was disturbed
}

}  // namespace
}  // namespace tunecheck
