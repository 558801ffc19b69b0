// Rounds of looks between the few configs that are nearly equally fast.
#include "tuner/search/final_rounds.hpp"

#include <map>
#include <random>
#include <set>

#include <gmock/gmock.h>

#include "probe_kernel.hpp"

namespace tunecheck::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<Trial> trials_of(const std::vector<double>& medians_ns) {
  std::vector<Trial> trials;
  for (const double median_ns : medians_ns) {
    Trial& trial = trials.emplace_back();
    trial.median_ns = trial.low_ns = trial.high_ns = median_ns;
    trial.reps = median_ns > 0 ? 8 : 0;
  }
  return trials;
}

FinalRounds rounds_between(const std::vector<Trial>& trials) {
  return {trials, std::vector<LooksAgain>(trials.size(), {3, true})};
}

// Rounds with these medians, until no more is wanted; how many there were.
template <class MedianNs>
int play(FinalRounds& rounds, MedianNs&& median_ns) {
  int played = 0;
  for (auto places = rounds.next(); !places.empty(); places = rounds.next()) {
    std::map<std::size_t, double> medians_ns;
    for (const std::size_t place : places)
      if (const double took_ns = median_ns(place); took_ns > 0) medians_ns[place] = took_ns;
    rounds.add(medians_ns);
    ++played;
  }
  return played;
}

TEST(FinalRounds, are_between_the_four_fastest_within_8_percent) {
  const auto trials = trials_of({107, 109, 100, 104, 0, 103, 105});
  EXPECT_THAT(rounds_between(trials).next(), ElementsAre(2, 5, 3, 6));
}

TEST(FinalRounds, leave_out_what_was_not_looked_at_again) {
  const auto trials = trials_of({100, 101, 102, 103});
  std::vector<LooksAgain> again(4, {2, true});
  again[0].looks = 0;
  again[2].looks = LooksAgain::impossible;
  EXPECT_THAT(FinalRounds(trials, again).next(), ElementsAre(1, 3));
}

TEST(FinalRounds, are_none_where_one_config_alone_is_fast) {
  EXPECT_THAT(rounds_between(trials_of({100, 109})).next(), IsEmpty());
  EXPECT_THAT(rounds_between(trials_of({0, 0})).next(), IsEmpty());
  EXPECT_THAT(rounds_between({}).next(), IsEmpty());
}

TEST(FinalRounds, take_turns_in_the_direction) {
  FinalRounds rounds = rounds_between(trials_of({100, 101}));
  EXPECT_THAT(rounds.next(), ElementsAre(0, 1));
  rounds.add({{0, 100}, {1, 101}});
  EXPECT_THAT(rounds.next(), ElementsAre(1, 0));
}

TEST(FinalRounds, end_as_soon_as_the_fastest_is_known) {
  auto trials = trials_of({100, 103, 102});
  FinalRounds rounds = rounds_between(trials);
  EXPECT_EQ(play(rounds, [](std::size_t place) { return place == 1 ? 100 : 105; }), 5);
  rounds.put_down(trials);
  EXPECT_EQ(fastest_trial(trials), 1U);
  EXPECT_NEAR(trials[0].median_ns / trials[1].median_ns, 1.05, 1e-9);
}

TEST(FinalRounds, end_where_the_loss_is_less_than_1_percent) {
  FinalRounds rounds = rounds_between(trials_of({100, 100}));
  EXPECT_EQ(play(rounds, [](std::size_t place) { return place == 0 ? 100 : 100.5; }), 5);
}

TEST(FinalRounds, go_on_while_looks_do_not_tell_and_end_after_16) {
  FinalRounds rounds = rounds_between(trials_of({100, 100}));
  std::minstd_rand chance(1);
  EXPECT_EQ(play(rounds, [&](std::size_t) { return 100 + static_cast<double>(chance() % 20); }),
            16);
}

TEST(FinalRounds, do_not_go_on_with_one_that_is_surely_slower) {
  FinalRounds rounds = rounds_between(trials_of({100, 100, 100}));
  for (int round = 0; round < 5; ++round) {
    const double turn = round % 2 == 0 ? 100 : 110;
    rounds.add({{0, turn}, {1, 210 - turn}, {2, 150}});
  }
  EXPECT_THAT(rounds.next(), testing::UnorderedElementsAre(0, 1));
}

// All that is measured in one round is slow together, and that says nothing of the configs.
TEST(FinalRounds, see_through_spells_of_the_machine) {
  auto trials = trials_of({100, 100});
  FinalRounds rounds = rounds_between(trials);
  for (int round = 0; round < 5; ++round) {
    const double spell = round % 2 == 0 ? 1 : 1.5;
    rounds.add({{0, spell * 103}, {1, spell * 100}});
  }
  EXPECT_THAT(rounds.next(), IsEmpty());
  rounds.put_down(trials);
  EXPECT_EQ(fastest_trial(trials), 1U);
}

TEST(FinalRounds, are_not_won_by_one_lucky_look) {
  auto trials = trials_of({100, 100});
  FinalRounds rounds = rounds_between(trials);
  int look = 0;
  play(rounds, [&](std::size_t place) { return place == 0 ? 100 : look++ == 0 ? 20 : 103; });
  rounds.put_down(trials);
  EXPECT_EQ(fastest_trial(trials), 0U);
}

TEST(FinalRounds, end_for_a_config_that_fails) {
  auto trials = trials_of({100, 101, 102});
  FinalRounds rounds = rounds_between(trials);
  int look = 0;
  play(rounds, [&](std::size_t place) { return place == 1 ? (look++ < 2 ? 50 : 0) : 100; });
  trials[1] = Trial();
  trials[1].failure = "signal 11";
  rounds.put_down(trials);
  EXPECT_EQ(fastest_trial(trials), 0U);
  EXPECT_EQ(trials[1].median_ns, 0);
}

// The fifth of many that are nearly equal was never in a round, and was as lucky as the others.
TEST(FinalRounds, have_the_winner_of_all_trials_among_them) {
  auto trials = trials_of({104, 100, 101, 102, 103});
  FinalRounds rounds = rounds_between(trials);
  play(rounds, [](std::size_t place) { return place == 4 ? 100 : 106; });
  rounds.put_down(trials);
  EXPECT_EQ(fastest_trial(trials), 4U);
  trials = trials_of({100.5, 100, 100.1, 100.2, 100.3});
  FinalRounds again = rounds_between(trials);
  play(again, [](std::size_t place) { return place == 4 ? 100 : 106; });
  again.put_down(trials);
  EXPECT_EQ(fastest_trial(trials), 4U);
}

// It was measured by a tuning that was killed: nothing new is known of it.
TEST(FinalRounds, do_not_beat_a_faster_config_that_was_not_among_them) {
  auto trials = trials_of({100, 104, 103});
  std::vector<LooksAgain> again(3, {2, true});
  again[0].looks = LooksAgain::impossible;
  FinalRounds rounds(trials, again);
  play(rounds, [](std::size_t place) { return place == 1 ? 100 : 102; });
  rounds.put_down(trials);
  EXPECT_EQ(fastest_trial(trials), 0U);
  EXPECT_EQ(trials[1].median_ns, 104);
  EXPECT_NEAR(trials[2].median_ns, 104 * 1.02, 1e-9);
}

TEST(FinalRounds, change_nothing_where_there_were_none) {
  auto trials = trials_of({100, 120});
  const auto before = trials;
  rounds_between(trials).put_down(trials);
  EXPECT_EQ(trials, before);
}

// A tuning of two configs, vec 1 and 4, that take what elapsed_ns says; where trials lay.
class TunedInRounds {
 public:
  explicit TunedInRounds(std::function<std::int64_t(const Config&)> elapsed_ns) {
    const ProbeFolder folder;
    folder.edit("block \"1 2\"", "block \"1\"");
    std::set<const std::byte*> places;
    FunctionBackend backend([&](const Config& config, const LaunchArguments& arguments) {
      places.insert(arguments.tensors.front().data);
      return run_probe(config, arguments);
    });
    backend.elapsed_ns = std::move(elapsed_ns);
    TunerParts parts = TunerParts::standard();
    parts.runner = std::make_shared<InProcessTrialRunner>();
    const ProbeTensors tensors;
    const auto report = fresh_call(backend, folder.request(), tensors, "", parts);
    if (!report) throw std::runtime_error(report.error().text());
    places.erase(tensors.views().front().data);
    places_of_trials = places.size();
  }

  std::size_t places_of_trials = 0;
};

TEST(FinalRounds, take_place_in_other_memory_each) {
  EXPECT_GE(TunedInRounds([](const Config&) { return 1000; }).places_of_trials, 2U);
  EXPECT_EQ(TunedInRounds([](const Config& config) {
              return config.at("vec") == 1 ? 1000 : 2000;
            }).places_of_trials,
            1U);
}

}  // namespace
}  // namespace tunecheck::test
