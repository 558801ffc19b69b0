// Mutants that let a wrong config win, or let one broken config cost more than itself.
#include <csignal>

#include <gmock/gmock.h>

#include "toy.hpp"

namespace tunecheck::test {
namespace {

const Trial& trial_of(const CallReport& report, Defect defect) {
  for (const Trial& trial : report.trials)
    if (trial.config.at("defect") == defect) return trial;
  throw std::runtime_error("no such trial");
}

TEST(ValidityMutants, unmeasured_winner_stores_a_config_that_failed) {
  for (const std::string& mutant : both("unmeasured_winner")) {
    Toy toy;
    toy.set_space({refuses}, {100, 200});
    const ToyCall call = call_once(toy, mutant);
    EXPECT_EQ(call.report.has_value(), !mutant.empty());
    EXPECT_EQ(call.winner.contains("time"), !mutant.empty());
    EXPECT_EQ(call.y, initial_y(toy));
    EXPECT_EQ(toy.stored_files().empty(), mutant.empty());
  }
  Toy toy;
  toy.set_space({right, refuses}, {200});
  EXPECT_EQ(call_once(toy, "unmeasured_winner").winner.at("defect"), right);
}

TEST(ValidityMutants, wrong_result_wins_by_being_faster) {
  for (const std::string& mutant : both("wrong_result_wins")) {
    Toy toy(Access::write);
    toy.set_space({right, wrong}, {200});
    const ToyCall call = call_once(toy, mutant);
    ASSERT_TRUE(call.report) << call.report.error().text();
    EXPECT_EQ(call.winner.at("defect"), mutant.empty() ? right : wrong);
    EXPECT_EQ(call.y == expected_result(toy), mutant.empty());
  }
}

TEST(ValidityMutants, wrong_result_wins_still_sees_a_half_written_output) {
  Toy toy(Access::write);
  toy.set_space({right, half_written}, {200});
  EXPECT_EQ(call_once(toy, "wrong_result_wins").winner.at("defect"), right);
}

TEST(ValidityMutants, writing_outside_wins_by_being_faster) {
  for (const std::string& mutant : both("writing_outside_wins")) {
    Toy toy(Access::write);
    toy.set_space({right, writes_past_end}, {200});
    const ToyCall call = call_once(toy, mutant);
    ASSERT_TRUE(call.report) << call.report.error().text();
    EXPECT_EQ(call.winner.at("defect"), mutant.empty() ? right : writes_past_end);
    EXPECT_EQ(call.canaries_intact, mutant.empty());
    EXPECT_EQ(call.y, expected_result(toy));
  }
}

TEST(ValidityMutants, writing_outside_wins_still_compares_results) {
  for (const Defect defect : {wrong, half_written}) {
    Toy toy(Access::write);
    toy.set_space({right, defect}, {200});
    EXPECT_EQ(call_once(toy, "writing_outside_wins").winner.at("defect"), right);
  }
}

TEST(ValidityMutants, masked_by_losers_takes_a_half_written_output_for_a_whole_one) {
  for (const std::string& mutant : both("masked_by_losers")) {
    Toy toy(Access::write);
    toy.set_space({right, half_written}, {200});
    const ToyCall call = call_once(toy, mutant);
    ASSERT_TRUE(call.report) << call.report.error().text();
    EXPECT_EQ(call.winner.at("defect"), mutant.empty() ? right : half_written);
    EXPECT_EQ(call.y == expected_result(toy), mutant.empty());
  }
}

TEST(ValidityMutants, masked_by_losers_still_compares_results) {
  Toy toy(Access::write);
  toy.set_space({right, wrong}, {200});
  EXPECT_EQ(call_once(toy, "masked_by_losers").winner.at("defect"), right);
}

TEST(ValidityMutants, trials_in_process_die_with_the_first_crash) {
  Toy toy;
  toy.set_space({right, crashes}, {200});
  // In a child of its own, which leaves nothing in the cache folder.
  EXPECT_EXIT((void)call_once(toy, "trials_in_process"), ::testing::KilledBySignal(SIGSEGV), "");
  const ToyCall call = call_once(toy, "");
  ASSERT_TRUE(call.report) << call.report.error().text();
  EXPECT_EQ(call.report->cache, CacheUse::miss);
  EXPECT_FALSE(trial_of(*call.report, crashes).measured());
}

TEST(ValidityMutants, default_must_work_gives_up_where_the_default_fails) {
  for (const std::string& mutant : both("default_must_work")) {
    Toy toy;
    toy.set_space({right, refuses}, {200, 300});
    EXPECT_TRUE(call_once(toy, mutant).report.has_value()) << "another config that fails";
    toy.request.kernel.default_config = {{"defect", "3"}, {"time", "200"}};
    toy.elements = 128;
    EXPECT_EQ(call_once(toy, mutant).report.has_value(), mutant.empty());
  }
}

TEST(ValidityMutants, one_failure_fails_every_later_config) {
  for (const std::string& mutant : both("one_failure_fails_all")) {
    Toy toy;
    toy.request.kernel.default_config = {{"defect", "4"}, {"time", "200"}};
    toy.set_space({right, crashes}, {200, 300});
    EXPECT_EQ(call_once(toy, mutant).report.has_value(), mutant.empty());
    // A launch that is refused is no crash.
    toy.request.kernel.default_config = {{"defect", "3"}, {"time", "200"}};
    toy.set_space({right, refuses}, {200, 300});
    EXPECT_TRUE(call_once(toy, mutant).report.has_value());
  }
}

}  // namespace
}  // namespace tunecheck::test
