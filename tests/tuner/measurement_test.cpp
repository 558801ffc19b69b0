#include "tuner/trial/measurement.hpp"

#include <gtest/gtest.h>

namespace tunecheck {
namespace {

TEST(EstimateMedian, the_middle_and_the_mean_of_two_middles) {
  EXPECT_EQ(estimate_median(std::vector<std::int64_t>{5, 1, 9}).median_ns, 5);
  EXPECT_EQ(estimate_median(std::vector<std::int64_t>{4, 1, 9, 2}).median_ns, 3);
  EXPECT_EQ(estimate_median(std::vector<std::int64_t>{7}).median_ns, 7);
  EXPECT_EQ(estimate_median({}).median_ns, 0);
}

TEST(EstimateMedian, outliers_move_neither_median_nor_interval) {
  std::vector<std::int64_t> samples(100, 50);
  samples[0] = 1;
  samples[1] = 1'000'000;
  const MedianEstimate estimate = estimate_median(samples);
  EXPECT_EQ(estimate.median_ns, 50);
  EXPECT_EQ(estimate.low_ns, 50);
  EXPECT_EQ(estimate.high_ns, 50);
}

TEST(EstimateMedian, the_interval_holds_the_median_and_shrinks_with_more_samples) {
  double previous = 1;
  for (const int count : {9, 100, 1000}) {
    std::vector<std::int64_t> samples;
    for (int i = 0; i < count; ++i)
      samples.push_back(1000 * i / count);
    const MedianEstimate estimate = estimate_median(samples);
    EXPECT_LE(estimate.low_ns, estimate.median_ns);
    EXPECT_GE(estimate.high_ns, estimate.median_ns);
    const double width = (estimate.high_ns - estimate.low_ns) / 1000;
    EXPECT_LT(width, previous);
    previous = width;
  }
}

// A module whose clock the test sets.
class ClockModule : public Module {
 public:
  LaunchStatus launch(const LaunchArguments&) const override { return 0; }
  TimedLaunch timed_launch(const LaunchArguments&) const override {
    ++launches;
    if (interrupted_every > 0 && launches % interrupted_every == 0) return {0, 9000, 0, true};
    return {launches == fails_at ? 6 : 0, noisy && launches % 2 == 0 ? 200 : 100};
  }
  mutable int launches = 0;
  int fails_at = 0;
  bool noisy = false;
  int interrupted_every = 0;
};

struct CountingArguments : TrialArguments {
  using TrialArguments::TrialArguments;
  LaunchArguments trial_launch() const override { return {}; }
  void before_rep() override { ++reps; }
  int reps = 0;
};

TEST(Measurement, a_steady_kernel_needs_few_reps_and_a_noisy_one_more) {
  const CallArguments call{};
  for (const bool noisy : {false, true}) {
    ClockModule module;
    module.noisy = noisy;
    CountingArguments arguments(call);
    TrialRecord record;
    Measurement().measure(module, arguments, std::chrono::hours(1), record);
    EXPECT_EQ(record.samples, noisy ? static_cast<int>(TrialRecord::max_samples) : 8);
    EXPECT_EQ(arguments.reps, record.samples + 1);
    EXPECT_EQ(module.launches, record.samples + 1);
  }
}

TEST(Measurement, reps_that_something_interrupts_count_only_where_there_are_few_others) {
  const CallArguments call{};
  for (const int every : {2, 1}) {
    ClockModule module;
    module.interrupted_every = every;
    CountingArguments arguments(call);
    TrialRecord record;
    Measurement().measure(module, arguments, std::chrono::milliseconds(1), record);
    ASSERT_GE(record.samples, 7);
    EXPECT_EQ(record.elapsed_ns[0], every == 2 ? 100 : 9000);
    EXPECT_EQ(record.elapsed_ns[6], every == 2 ? 100 : 9000);
    EXPECT_GT(record.interrupted, 0);
  }
}

TEST(Measurement, a_launch_that_is_refused_ends_the_trial) {
  const CallArguments call{};
  ClockModule module;
  module.fails_at = 4;
  CountingArguments arguments(call);
  TrialRecord record;
  Measurement().measure(module, arguments, std::chrono::hours(1), record);
  EXPECT_EQ(record.status, 6);
  EXPECT_EQ(module.launches, 4);
}

TEST(TrialRecord, a_long_message_is_cut) {
  TrialRecord record;
  record.set_message(std::string(10'000, 'x'));
  EXPECT_EQ(std::string(record.message.data()).size(), TrialRecord::max_message - 1);
}

}  // namespace
}  // namespace tunecheck
