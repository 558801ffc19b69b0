// Mutants that spoil what a trial finds. The true tuner's column of each test is the empty name.
#include <set>
#include <utility>

#include <gmock/gmock.h>

#include "toy.hpp"

namespace tunecheck::test {
namespace {

using ::testing::SizeIs;

TEST(RestoreMutants, the_true_tuner_shows_every_rep_the_same_and_returns_a_clean_result) {
  Toy toy;
  const ToyCall call = call_once(toy, "");
  ASSERT_TRUE(call.report) << call.report.error().text();
  EXPECT_THAT(toy.backend.seen_by_trials(), SizeIs(1));
  EXPECT_EQ(call.y, expected_result(toy));
}

class Drifting : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(RestoreMutants, Drifting,
                         ::testing::Values("no_restore", "restore_to_shared_storage"),
                         [](const auto& info) { return info.param; });

TEST_P(Drifting, shows_each_rep_another_input_and_returns_what_the_trials_left) {
  Toy toy;
  const ToyCall call = call_once(toy, GetParam());
  ASSERT_TRUE(call.report) << call.report.error().text();
  EXPECT_GT(toy.backend.seen_by_trials().size(), 5U);
  EXPECT_NE(call.y, expected_result(toy));
}

TEST_P(Drifting, leaves_the_caller_what_the_trials_left_when_the_tuning_fails) {
  for (const std::string mutant : {"", GetParam()}) {
    Toy toy;
    toy.set_space({refuses}, {100});
    const ToyCall call = call_once(toy, mutant);
    EXPECT_FALSE(call.report);
    EXPECT_EQ(call.y == initial_y(toy), mutant.empty());
  }
}

// Only the one that takes the caller's memory for its own copy poisons it.
TEST(RestoreMutants, restore_to_shared_storage_poisons_the_caller) {
  for (const std::string mutant : {"no_restore", "restore_to_shared_storage"}) {
    Toy toy(Access::write);
    toy.set_space({right, half_written}, {200});
    EXPECT_EQ(call_once(toy, mutant).winner.at("defect"),
              mutant == "no_restore" ? half_written : right);
  }
}

TEST(RestoreMutants, restore_once_per_config_drifts_but_spares_the_caller) {
  Toy toy;
  const ToyCall call = call_once(toy, "restore_once_per_config");
  ASSERT_TRUE(call.report) << call.report.error().text();
  EXPECT_GT(toy.backend.seen_by_trials().size(), 5U);
  EXPECT_EQ(call.y, expected_result(toy));
}

TEST(RestoreMutants, trials_without_content_see_what_nobody_filled_and_spare_the_caller) {
  Toy toy, clean;
  ASSERT_TRUE(call_once(clean, "").report);
  const ToyCall call = call_once(toy, "trials_without_content");
  ASSERT_TRUE(call.report) << call.report.error().text();
  ASSERT_THAT(toy.backend.seen_by_trials(), SizeIs(1));
  EXPECT_NE(toy.backend.seen_by_trials(), clean.backend.seen_by_trials());
  EXPECT_EQ(call.y, expected_result(toy));
}

// How y lies in trials, as strides and places modulo 64, and in the launch for the caller.
std::pair<std::set<std::pair<std::int64_t, int>>, std::pair<std::int64_t, int>> places(
    const std::string& mutant, bool misaligned) {
  Toy toy;
  toy.stride = 3;
  ToyProcess process(toy, mutant);
  EXPECT_TRUE(process.call(misaligned).report);
  std::set<std::pair<std::int64_t, int>> trials;
  std::pair<std::int64_t, int> call;
  for (const ToyLaunch& launch : toy.backend.launches())
    if (launch.in_trial)
      trials.insert({launch.stride, launch.address_mod_64});
    else
      call = {launch.stride, launch.address_mod_64};
  return {trials, call};
}

TEST(RestoreMutants, the_true_tuners_trials_lie_in_memory_as_the_call_does) {
  for (const bool misaligned : {false, true}) {
    const auto [trials, call] = places("", misaligned);
    EXPECT_THAT(trials, testing::ElementsAre(call));
    EXPECT_EQ(call.first, 3);
  }
}

TEST(RestoreMutants, trials_on_dense_copies_lose_the_strides_alone) {
  const auto [trials, call] = places("trials_on_dense_copies", true);
  EXPECT_THAT(trials, testing::ElementsAre(std::pair(std::int64_t{1}, call.second)));
}

TEST(RestoreMutants, trials_on_aligned_copies_lose_the_alignment_alone) {
  const auto [trials, call] = places("trials_on_aligned_copies", true);
  EXPECT_THAT(trials, testing::ElementsAre(std::pair(call.first, 0)));
  EXPECT_NE(call.second, 0);
}

TEST(RestoreMutants, restore_ignores_strides_only_where_there_are_strides) {
  for (const std::int64_t stride : {1, 2}) {
    for (const std::string mutant : {"", "restore_ignores_strides"}) {
      Toy clean;
      clean.stride = stride;
      ASSERT_TRUE(call_once(clean, "").report);
      Toy toy;
      toy.stride = stride;
      const ToyCall call = call_once(toy, mutant);
      ASSERT_TRUE(call.report) << call.report.error().text();
      EXPECT_EQ(call.y, expected_result(toy));
      EXPECT_EQ(toy.backend.seen_by_trials() == clean.backend.seen_by_trials(),
                stride == 1 || mutant.empty())
          << mutant << " with stride " << stride;
    }
  }
}

TEST(RestoreMutants, hook_replaces_restore_only_where_there_is_a_hook) {
  for (const std::string mutant : {"", "hook_replaces_restore"})
    for (const bool hooked : {false, true}) {
      Toy toy;
      if (hooked) toy.request.before_launch = [](const LaunchArguments&) {};
      const ToyCall call = call_once(toy, mutant);
      ASSERT_TRUE(call.report) << call.report.error().text();
      EXPECT_EQ(call.y, expected_result(toy));
      EXPECT_EQ(toy.backend.seen_by_trials().size() == 1, mutant.empty() || !hooked);
    }
}

// Of the true tuner, which has no other test with a hook: in trials, on the real call, on hits.
TEST(RestoreMutants, the_hook_of_the_caller_runs_right_before_every_launch) {
  Toy toy, clean;
  ASSERT_TRUE(call_once(clean, "").report);
  toy.request.before_launch = [](const LaunchArguments& arguments) {
    fill_zero(arguments.tensors[1]);
  };
  ToyProcess process(toy, "");
  for (const CacheUse use : {CacheUse::miss, CacheUse::hit}) {
    const ToyCall call = process.call();
    ASSERT_TRUE(call.report) << call.report.error().text();
    EXPECT_EQ(call.report->cache, use);
    EXPECT_EQ(call.y, expected_result(toy, true));
  }
  EXPECT_THAT(toy.backend.seen_by_trials(), SizeIs(1));
  EXPECT_NE(toy.backend.seen_by_trials(), clean.backend.seen_by_trials());
}

TEST(RestoreMutants, reset_only_first_trial_shows_later_trials_an_unzeroed_argument) {
  for (const std::string mutant : {"", "reset_only_first_trial"}) {
    Toy toy;
    toy.request.kernel.restore_value = {};
    toy.request.kernel.reset_to_zero = {"y"};
    const ToyCall call = call_once(toy, mutant);
    ASSERT_TRUE(call.report) << call.report.error().text();
    EXPECT_EQ(call.y, expected_result(toy, true));
    EXPECT_EQ(toy.backend.seen_by_trials().size() == 1, mutant.empty()) << mutant;
  }
}

// The toy's times are made up, so that what is added to them shows exactly.
TEST(RestoreMutants, restore_inside_timing_charges_the_config_for_the_restore) {
  for (const std::string mutant : {"", "restore_inside_timing"}) {
    Toy toy;
    const ToyCall call = call_once(toy, mutant);
    ASSERT_TRUE(call.report) << call.report.error().text();
    for (const Trial& trial : call.report->trials) {
      ASSERT_TRUE(trial.measured());
      EXPECT_EQ(trial.median_ns == static_cast<double>(trial.config.at("time")), mutant.empty());
    }
    EXPECT_EQ(call.y, expected_result(toy));
  }
}

}  // namespace
}  // namespace tunecheck::test
