// Sessions of a build with itself, played in earnest.
#include "gate/measure/real_calibration.hpp"

#include <gmock/gmock.h>

#include "planted_build.hpp"

namespace tunecheck::gate {
namespace {

// Every second tuning is the head's: base and head are the same build, and differ all the same by
// what their own tunings left.
TEST(RealCalibration, sets_up_both_sides_and_hands_over_what_it_calls_different) {
  const TemporaryFolder folder = TemporaryFolder::create("tunecheck-calibration").value();
  test::make_build_with(folder.path() / "build",
                        test::slow_after_tuning(folder.path(), "$((tunings % 2)) -eq 0"), "");
  RealCalibrationOptions options;
  options.build = open_build(folder.path() / "build", "reference", {}).value();
  options.metric = "warm_start";
  options.sessions = 1;
  // Short: what is planted is far larger than any noise.
  options.settings.screen_pairs = 7;
  options.settings.least_pairs = 20;
  options.settings.most_pairs = 20;
  options.out = folder.path() / "out";
  std::vector<GateResult> alarms;
  options.alarm = [&](const GateResult& session) -> Result<void> {
    alarms.push_back(session);
    return {};
  };
  const RealCalibration calibration = calibrate_for_real(options).value();
  ASSERT_EQ(calibration.rows.size(), 4U);
  EXPECT_EQ(calibration.rows[0].of(Answer::regression), 1U);
  EXPECT_FALSE(calibration.is_kept());
  ASSERT_FALSE(alarms.empty());
  EXPECT_EQ(alarms[0].answer, Answer::regression);
  EXPECT_EQ(alarms[0].benchmarks.at(0).pairs.size(), 7U + 20U);
  for (const SideResult& side : {alarms[0].base, alarms[0].head})
    EXPECT_THAT(side.environment,
                testing::Contains(testing::Key(std::string("winner of tuning 5"))));
}

TEST(RealCalibration, measures_the_metric_that_was_asked_for) {
  const TemporaryFolder folder = TemporaryFolder::create("tunecheck-calibration").value();
  test::make_build_with(folder.path() / "build", test::without_warm_starts(folder.path()), "");
  RealCalibrationOptions options;
  options.build = open_build(folder.path() / "build", "reference", {}).value();
  options.metric = "warm_start";
  options.sessions = 1;
  options.out = folder.path() / "out";
  const RealCalibration calibration = calibrate_for_real(options).value();
  ASSERT_EQ(calibration.rows.size(), 4U);
  EXPECT_EQ(calibration.rows[0].of(Answer::invalid), 1U) << "no launch of a winner fails";
}

}  // namespace
}  // namespace tunecheck::gate
