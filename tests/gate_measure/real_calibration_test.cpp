// Sessions whose right answer is known, played in earnest.
#include "gate/measure/real_calibration.hpp"

#include <unistd.h>

#include <gmock/gmock.h>

#include "planted_build.hpp"

namespace tunecheck::gate {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Key;
using testing::SizeIs;

class RealCalibration : public testing::Test {
 protected:
  RealCalibration() {
    options.out = folder.path() / "out";
    options.machine = "CPU";
    options.sessions = 1;
    options.begun.backend = name_of(DeviceKind::cpu);
    options.begun.adapter = "reference";
    // Short and bold, because this is not about the rule: a difference that is as large as those
    // that are planted here is reported on a crowded machine too.
    options.begun.settings.alpha = options.begun.settings.same_alpha = 0.4;
    options.begun.settings.screen_pairs = 7;
    options.begun.settings.least_pairs = 20;
    options.begun.settings.most_pairs = 20;
    options.wrong = [this](const GateResult& session, const std::string& name) -> Result<void> {
      wrong.push_back(session);
      names.push_back(name);
      return {};
    };
    options.progress = [this](const std::string& line) { lines.push_back(line); };
  }

  void open(const std::string& program) {
    test::make_build_with(folder.path() / "build", program, "");
    options.build = open_build(folder.path() / "build", "reference", {}).value();
  }
  [[nodiscard]] std::vector<RealSession> stored() const {
    return read_sessions(sessions_file(options.out)).value().sessions;
  }

  TemporaryFolder folder = TemporaryFolder::create("tunecheck-calibration").value();
  RealCalibrationOptions options;
  std::vector<GateResult> wrong;
  std::vector<std::string> names, lines;
};

// Every second tuning is the head's: base and head are the same build, and differ all the same by
// what their own tunings left.
TEST_F(RealCalibration, sets_up_both_sides_and_hands_over_what_it_calls_different) {
  open(test::slow_after_tuning(folder.path(), "$((tunings % 2)) -eq 0", "0.2"));
  options.metrics = {"warm_start"};
  const auto played = play_sessions(options);
  ASSERT_TRUE(played) << played.error().text();
  ASSERT_THAT(stored(), SizeIs(1));
  EXPECT_EQ(stored()[0].answer, Answer::regression);
  EXPECT_TRUE(stored()[0].is_false_alarm());
  EXPECT_EQ(stored()[0].kind.metrics, "warm_start");
  // A confirmation that scatters more than its screen goes on once: more than 20 on a noisy
  // machine.
  EXPECT_GE(stored()[0].pairs, 7U + 20U);
  EXPECT_GT(stored()[0].seconds, 0);
  EXPECT_GT(stored()[0].change, 0.02);
  ASSERT_THAT(wrong, SizeIs(1));
  EXPECT_EQ(names[0], "alarm-0-idle-1-1");
  EXPECT_EQ(wrong[0].benchmarks.at(0).pairs.size(), stored()[0].pairs);
  for (const SideResult& side : {wrong[0].base, wrong[0].head})
    EXPECT_THAT(side.environment, Contains(Key("rmsnorm at smoke, winner of tuning 5")));
}

TEST_F(RealCalibration, measures_the_metric_that_was_asked_for) {
  open(test::without_warm_starts(folder.path()));
  options.metrics = {"warm_start"};
  ASSERT_TRUE(play_sessions(options));
  ASSERT_THAT(stored(), SizeIs(1));
  EXPECT_EQ(stored()[0].answer, Answer::invalid) << "no launch of a winner fails";
}

TEST_F(RealCalibration, goes_on_where_the_file_ends) {
  open(test::without_warm_starts(folder.path()));
  options.metrics = {"warm_start"};
  ASSERT_TRUE(play_sessions(options));
  ASSERT_THAT(stored(), SizeIs(1));
  options.sessions = 2;
  ASSERT_TRUE(play_sessions(options));
  ASSERT_THAT(stored(), SizeIs(2));
  EXPECT_EQ(stored()[1].number, 2U);
  EXPECT_EQ(stored()[1].seed, options.seed + 2);
  EXPECT_THAT(lines, testing::ElementsAre("1 of 1: invalid", "2 of 2: invalid"));
  ASSERT_TRUE(play_sessions(options));
  EXPECT_THAT(stored(), SizeIs(2)) << "nothing is missing";
}

// Both of what can be planted in. Whole processes take several times as long on a crowded machine.
TEST_F(RealCalibration, makes_the_head_really_slower_by_what_is_planted) {
  open(test::slow_after_tuning(folder.path(), "1 -eq 0"));
  for (const auto& [metric, planted] : {std::pair("warm_start", 4.0), {"winner_time", 0.6}}) {
    options.metrics = {metric};
    options.head = planted;
    options.out = folder.path() / metric;
    const auto played = play_sessions(options);
    ASSERT_TRUE(played) << played.error().text();
    ASSERT_THAT(stored(), SizeIs(1));
    EXPECT_EQ(stored()[0].answer, Answer::regression) << metric;
    EXPECT_GT(stored()[0].change, planted / 3) << metric;
    EXPECT_LT(stored()[0].change, planted * 3) << metric;
    EXPECT_FALSE(stored()[0].is_false_alarm());
  }
  EXPECT_THAT(wrong, SizeIs(0)) << "a slowdown that is found is no wrong answer";
}

TEST_F(RealCalibration, plays_canaries_in_whole_sessions_alone) {
  open(test::without_warm_starts(folder.path()));
  options.metrics = {"warm_start"};
  options.is_whole = true;
  ASSERT_TRUE(play_sessions(options));
  ASSERT_THAT(stored(), SizeIs(1));
  EXPECT_THAT(stored()[0].reason, HasSubstr("canary"));
  options.out = folder.path() / "other";
  options.is_whole = false;
  ASSERT_TRUE(play_sessions(options));
  EXPECT_EQ(stored()[0].reason, "");
}

// No process has a number like the first one.
TEST_F(RealCalibration, removes_what_killed_processes_left_and_nothing_else) {
  open(test::without_warm_starts(folder.path()));
  const std::string own = fmt::format("process-{}", ::getpid());
  for (const std::string& name : {std::string("process-2000000000"), own, std::string("process-x")})
    ASSERT_TRUE(create_folders(options.out / name));
  ASSERT_TRUE(check_sessions(options));
  EXPECT_FALSE(std::filesystem::exists(options.out / "process-2000000000"));
  EXPECT_TRUE(std::filesystem::exists(options.out / own));
  EXPECT_TRUE(std::filesystem::exists(options.out / "process-x"));
}

TEST_F(RealCalibration, refuses_the_file_of_another_build) {
  open(test::without_warm_starts(folder.path()));
  options.metrics = {"warm_start"};
  ASSERT_TRUE(play_sessions(options));
  const TemporaryFolder place = TemporaryFolder::create("tunecheck-calibration").value();
  test::make_build_with(place.path() / "build", test::slow_after_tuning(place.path(), "1 -eq 0"),
                        "");
  options.build = open_build(place.path() / "build", "reference", {}).value();
  const auto refused = check_sessions(options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::bad_input);
  EXPECT_THAT(refused.error().text(), HasSubstr("sessions.jsonl:1: build: expected sessions of"));
}

}  // namespace
}  // namespace tunecheck::gate
