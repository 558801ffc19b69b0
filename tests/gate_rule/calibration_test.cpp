// The calibration in small, and the machines that it rests on.
#include "gate/rule/calibration.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "gate/rule/noise.hpp"
#include "gate/rule/other_rules.hpp"
#include "gate/rule/pair.hpp"

namespace tunecheck::test {
namespace {

using namespace gate;

const Calibration& small() {
  static const Calibration calibration = [] {
    CalibrationOptions options;
    options.sessions = 600;
    return calibrate(options);
  }();
  return calibration;
}

double share(std::size_t count) {
  return static_cast<double>(count) / static_cast<double>(small().options.sessions);
}

double called_slower(std::size_t machine, std::size_t column) {
  return share(small().machines[machine].own[column].of(Answer::regression));
}

TEST(Calibration, counts_every_session_once) {
  ASSERT_EQ(small().machines.size(), 5U);
  for (const MachineCalibration& machine : small().machines) {
    for (const OwnCounts& counts : machine.own) {
      std::size_t sum = 0;
      for (const std::size_t count : counts.answers)
        sum += count;
      EXPECT_EQ(sum, small().options.sessions);
      EXPECT_EQ(counts.of(Answer::invalid), 0U);
    }
    EXPECT_EQ(machine.others.size(), other_rules().size());
  }
}

// The bounds that docs/gate-measurements.md gives, with room for 600 sessions in place of 100,000.
TEST(Calibration, has_no_false_alarm_and_finds_what_is_planted) {
  for (std::size_t machine = 0; machine < 5; ++machine) {
    EXPECT_EQ(called_slower(machine, 0), 0) << small().machines[machine].machine;
    EXPECT_LE(called_slower(machine, 1), 0.02);  // delta itself
  }
  for (std::size_t machine = 0; machine < 3; ++machine)  // not where every core has other work
    EXPECT_GT(called_slower(machine, 4), 0.99);
  EXPECT_EQ(called_slower(0, 2), 1);
  EXPECT_GT(called_slower(1, 2), 0.99);
  EXPECT_GT(called_slower(2, 2), 0.84);
}

TEST(Calibration, shows_that_others_alarm_falsely_on_a_bad_machine) {
  for (std::size_t i = 0; i < other_rules().size(); ++i)
    EXPECT_GT(share(small().machines[2].others[i][0]), 0.02) << other_rules()[i].name;
  EXPECT_GT(share(small().machines[2].others[0][0]), 0.2);   // the mean ratio
  EXPECT_GT(share(small().machines[2].others[1][0]), 0.15);  // Mann and Whitney
}

// What a finding says it would have found is found in 95 of 100 sessions, or a few more.
TEST(Calibration, finds_what_sessions_say_they_would_find) {
  for (const MachineCalibration& machine : small().machines) {
    EXPECT_GT(share(machine.stated_found), 0.93) << machine.machine;
    EXPECT_LT(share(machine.stated_found), 0.995) << machine.machine;
  }
}

TEST(Calibration, is_the_same_with_any_number_of_threads_and_another_with_another_seed) {
  CalibrationOptions options;
  options.sessions = 30;
  options.jobs = 1;
  const auto pairs = [](const CalibrationOptions& some) {
    std::vector<std::size_t> counts;
    for (const MachineCalibration& machine : calibrate(some).machines) {
      for (const OwnCounts& own : machine.own)
        counts.push_back(own.pairs);
      for (const auto& other : machine.others)
        counts.insert(counts.end(), other.begin(), other.end());
    }
    return counts;
  };
  const auto first = pairs(options);
  options.jobs = 3;
  EXPECT_EQ(pairs(options), first);
  options.seed = 2;
  EXPECT_NE(pairs(options), first);
}

TEST(Promises, are_kept_or_broken_by_the_counts) {
  Calibration calibration = small();
  for (const Promise& promise : promises(calibration))
    EXPECT_TRUE(promise.is_kept) << promise.text;
  EXPECT_EQ(promises(calibration).size(), 8U);
  std::size_t& alarms =
      calibration.machines[1].own[0].answers[static_cast<std::size_t>(Answer::regression)];
  alarms = 1;  // of 600 sessions
  EXPECT_TRUE(promises(calibration)[2].is_kept);
  alarms = 2;
  EXPECT_FALSE(promises(calibration)[2].is_kept);
  calibration.options.sessions = 100'000;
  alarms = 10;
  EXPECT_TRUE(promises(calibration)[2].is_kept);
  alarms = 11;
  EXPECT_FALSE(promises(calibration)[2].is_kept);
  calibration.machines[2].own[2].answers[static_cast<std::size_t>(Answer::regression)] = 500;
  EXPECT_FALSE(promises(calibration)[5].is_kept);
}

// The deviation of ln of the processes' medians, without the tails.
double scatter(const NoiseModel& model) {
  NoisyMachine machine(model, 11);
  std::vector<double> distances;
  double before = 0;
  for (int process = 0; process < 4000; ++process) {
    const double now = std::log(median(machine.run(1, 11)));
    if (process > 0) distances.push_back(std::abs(now - before));
    before = now;
  }
  return median(distances) / 0.6745 / std::sqrt(2.0);
}

TEST(NoiseModels, scatter_as_they_say) {
  for (const NoiseModel& model : noise_models()) {
    // Tails that are heavy hold a part of the deviation that the middle does not show.
    const double slow = std::log1p(model.slow_by);
    const double expected = std::hypot(
        model.process_deviation, slow * std::sqrt(model.slow_chance * (1 - model.slow_chance)));
    EXPECT_GT(scatter(model), 0.7 * expected) << model.name;
    EXPECT_LT(scatter(model), 1.5 * expected) << model.name;
  }
}

TEST(NoiseModels, have_drift_outliers_bursts_and_slow_processes) {
  NoiseModel model = noise_models()[0];
  model.process_deviation = model.sample_deviation = model.drift_deviation = 0;
  model.outlier_chance = model.burst_chance = 0;
  const auto slow_share = [](const NoiseModel& some) {
    NoisyMachine machine(some, 3);
    int slow = 0;
    for (int i = 0; i < 2000; ++i)
      for (const double sample : machine.run(1, 5))
        slow += sample > 1.0001 ? 1 : 0;
    return slow / 10'000.0;
  };
  EXPECT_EQ(slow_share(model), 0);
  NoiseModel outliers = model, bursts = model, drift = model, modes = model;
  outliers.outlier_chance = 0.1;
  EXPECT_NEAR(slow_share(outliers), 0.1, 0.02);
  bursts.burst_chance = 0.02;
  bursts.burst_processes = 5;
  EXPECT_NEAR(slow_share(bursts), 0.1, 0.035);  // of 55 processes 5
  modes.slow_chance = 0.3;
  modes.slow_by = 0.4;
  EXPECT_NEAR(slow_share(modes), 0.3, 0.04);
  drift.drift_deviation = 0.01;
  NoisyMachine machine(drift, 4);
  double least = 1, most = 1;
  for (int i = 0; i < 1000; ++i) {
    const double sample = machine.run(1, 1)[0];
    least = std::min(least, sample);
    most = std::max(most, sample);
  }
  EXPECT_GT(std::log(most / least), 0.15);  // a walk of 1000 steps goes about 32 steps far
}

}  // namespace
}  // namespace tunecheck::test
