// Mutants that do right and say something else.
#include <gmock/gmock.h>

#include "toy.hpp"

namespace tunecheck::test {
namespace {

TEST(ReportMutants, reports_hit_always_even_after_trials) {
  for (const std::string& mutant : both("reports_hit_always")) {
    Toy toy;
    const ToyCall call = call_once(toy, mutant);
    EXPECT_EQ(call.report->cache, mutant.empty() ? CacheUse::miss : CacheUse::hit);
    EXPECT_FALSE(call.report->trials.empty());
  }
}

TEST(ReportMutants, reports_other_winner_than_the_one_it_launched) {
  for (const std::string& mutant : both("reports_other_winner")) {
    Toy toy;
    ToyProcess process(toy, mutant);
    EXPECT_EQ(process.call().winner.at("time"), mutant.empty() ? 100 : 200);
    EXPECT_EQ(process.call().winner.at("time"), 100) << "the fast path has no report to spoil";
    EXPECT_EQ(call_once(toy, mutant).winner == Config({{"defect", right}, {"time", 100}}),
              mutant.empty());
  }
}

TEST(ReportMutants, failures_forgotten_are_in_no_report) {
  for (const std::string& mutant : both("failures_forgotten")) {
    Toy toy;
    toy.set_space({right, refuses}, {200});
    const ToyCall call = call_once(toy, mutant);
    EXPECT_EQ(call.report->trials.size(), mutant.empty() ? 2U : 1U);
    EXPECT_EQ(call.winner.at("defect"), right);
  }
}

TEST(ReportMutants, misses_unexplained_name_no_axis_and_keep_the_failures) {
  for (const std::string& mutant : both("misses_unexplained")) {
    Toy toy;
    ASSERT_TRUE(call_once(toy, mutant).report);
    toy.set_space({right, refuses}, {200});
    const ToyCall call = call_once(toy, mutant);
    EXPECT_EQ(call.report->cache, CacheUse::miss);
    EXPECT_EQ(call.report->missed_axes.empty(), !mutant.empty());
    EXPECT_EQ(call.report->message.find("space") == std::string::npos, !mutant.empty());
    EXPECT_NE(call.report->message.find("701"), std::string::npos) << call.report->message;
  }
}

TEST(ReportMutants, misses_explained_by_everything_name_what_is_as_it_was) {
  for (const std::string& mutant : both("misses_explained_by_everything")) {
    Toy toy;
    EXPECT_TRUE(call_once(toy, mutant).report->missed_axes.empty()) << "nothing is stored yet";
    toy.set_space({right, refuses}, {200});
    const ToyCall call = call_once(toy, mutant);
    EXPECT_EQ(call.report->missed_axes.size(), mutant.empty() ? 1U : 6U);
  }
}

TEST(ReportMutants, failed_launch_is_done_as_far_as_its_answer_goes) {
  ReferenceAdapterSetup setup;
  find_mutant("failed_launch_is_done")->plant(setup);
  protocol::CallAnswer answer;
  answer.message = "the launch was refused";
  setup.before_answer({}, answer);
  EXPECT_FALSE(answer.done) << "no config won";
  answer.winner = Config();
  setup.before_answer({}, answer);
  EXPECT_TRUE(answer.done);
}

}  // namespace
}  // namespace tunecheck::test
