#include "judge/run/summaries.hpp"

#include <gmock/gmock.h>

#include "hand_made_record.hpp"

namespace tunecheck::test {
namespace {

using testing::ElementsAre;

class Summaries : public testing::Test {
 protected:
  CallSummary cold() const { return summaries_of(hand_made.record).at(0).calls.at(0); }

  static std::vector<std::string> names_of(const CallSummary& call) {
    std::vector<std::string> names;
    for (const ConfigSummary& config : call.configs)
      names.push_back(config.config);
    return names;
  }
  static std::vector<std::string> kinds_of(const CallSummary& call) {
    std::vector<std::string> kinds;
    for (const CallEvent& event : call.events)
      kinds.push_back(event.kind);
    return kinds;
  }

  HandMadeRecord hand_made;
};

TEST_F(Summaries, count_what_a_process_did) {
  const auto processes = summaries_of(hand_made.record);
  ASSERT_EQ(processes.size(), 2U);
  EXPECT_EQ(processes[0].compiles, 2);
  EXPECT_EQ(processes[0].launches, 5);
  EXPECT_EQ(processes[0].calls.at(0).trial_launches, 4);
  EXPECT_EQ(processes[1].calls.at(0).cache, "hit");
  EXPECT_TRUE(processes[1].calls.at(0).configs.empty()) << "a hit tries nothing";
}

TEST_F(Summaries, join_what_the_tuner_says_of_a_config_with_what_was_seen) {
  hand_made.cold().answer->trials[0].failure = "too slow";
  hand_made.cold().launches[3].elapsed_ns = 500;
  hand_made.cold().measurement.emplace().median_ns = {{"step=2", 700}};
  const CallSummary call = cold();
  ASSERT_THAT(names_of(call), ElementsAre("step=2", "step=1"));
  const ConfigSummary& winner = call.configs[0];
  EXPECT_TRUE(winner.is_winner);
  EXPECT_EQ(winner.median_ns, 1000);
  EXPECT_EQ(winner.own_median_ns, 700);
  EXPECT_EQ(winner.launches, 2) << "the caller's own is no trial";
  EXPECT_THAT(winner.samples_ns, ElementsAre(500, 1000));
  EXPECT_EQ(call.configs[1].failure, "too slow");
}

TEST_F(Summaries, launches_of_one_config_in_a_row_are_one_event) {
  hand_made.cold().asked_ns = 100;
  for (std::size_t i = 0; i < hand_made.cold().launches.size(); ++i)
    hand_made.cold().launches[i].time_ns = 200 + 2000 * static_cast<std::int64_t>(i);
  const CallSummary call = cold();
  EXPECT_THAT(kinds_of(call), ElementsAre("compile", "compile", "trials", "trials", "launch"));
  EXPECT_EQ(call.events[0].config, "step=1");
  EXPECT_EQ(call.events[2].at_ns, 100);
  EXPECT_EQ(call.events[2].count, 2);
  EXPECT_EQ(call.events[2].wall_ns, 3000);
  EXPECT_EQ(call.events[2].differing, 0);
}

TEST_F(Summaries, mark_launches_that_saw_other_arguments) {
  hand_made.cold().launches[1].digests[1] = "spoilt";
  hand_made.cold().launches[2].ended = false;
  const CallSummary call = cold();
  EXPECT_EQ(call.events[2].differing, 1);
  EXPECT_EQ(call.events[3].differing, 0);
  EXPECT_EQ(call.events[3].failed, 1);
}

TEST_F(Summaries, show_when_a_process_was_killed_and_when_files_failed) {
  hand_made.cold().asked_ns = 100;
  hand_made.cold().faults.push_back({150, 1, "before_write_1", 28, "entry.json"});
  hand_made.record.processes[0].killed_ns = 900;
  const CallSummary call = cold();
  EXPECT_EQ(call.events[call.events.size() - 2].text,
            "at before_write_1 of entry.json: No space left on device");
  EXPECT_EQ(call.events.back().kind, "killed");
  EXPECT_EQ(call.events.back().at_ns, 800);
}

TEST_F(Summaries, calls_are_placed_by_the_scenarios_first_one) {
  hand_made.cold().asked_ns = 1000;
  hand_made.warm().asked_ns = 4000;
  const auto processes = summaries_of(hand_made.record);
  EXPECT_EQ(processes[0].calls.at(0).asked_ns, 0);
  EXPECT_EQ(processes[1].calls.at(0).asked_ns, 3000);
}

TEST_F(Summaries, a_call_that_was_never_asked_is_placed_at_no_time) {
  hand_made.cold().asked_ns = 4000;
  hand_made.warm().asked_ns = 0;
  const auto processes = summaries_of(hand_made.record);
  EXPECT_EQ(processes[0].calls.at(0).asked_ns, 0) << "it is the first that was asked";
  EXPECT_EQ(processes[1].calls.at(0).asked_ns, 0);
}

TEST_F(Summaries, say_what_a_launch_moves_and_computes) {
  hand_made.kernel.bytes = "2 * n";
  hand_made.kernel.flops = "3 * n";
  hand_made.cold().request.sizes["n"] = 100;
  for (const TensorParameter& tensor : hand_made.kernel.tensors)
    hand_made.cold().request.tensors.emplace_back().name = tensor.name;
  EXPECT_EQ(cold().bytes, 200);
  EXPECT_EQ(cold().flops, 300);
  hand_made.cold().request.tensors.pop_back();
  EXPECT_EQ(cold().bytes, 0) << "the dtype of one tensor is not known";
}

TEST_F(Summaries, the_real_launch_may_see_what_it_accumulates_into) {
  hand_made.cold().launches.back().digests[2] = "what the caller's sum held";
  EXPECT_EQ(cold().events.back().kind, "launch");
  EXPECT_EQ(cold().events.back().differing, 0);
  hand_made.cold().launches.front().digests[2] = "what the caller's sum held";
  EXPECT_EQ(cold().events[2].kind, "trials");
  EXPECT_EQ(cold().events[2].differing, 1);
}

TEST_F(Summaries, a_silent_tuner_leaves_a_call_without_an_answer) {
  hand_made.cold().answer.reset();
  hand_made.cold().trouble = std::string(SummaryBounds::text - 1, 'x') + "é and more";
  const CallSummary call = cold();
  EXPECT_EQ(call.outcome, "no answer");
  EXPECT_EQ(call.message, std::string(SummaryBounds::text - 1, 'x') + "...");
  EXPECT_EQ(call.cache, "");
}

TEST_F(Summaries, are_bounded_and_count_what_they_leave_out) {
  CallRecord& record = hand_made.cold();
  for (int step = 3; step < 303; ++step) {
    record.answer->trials.push_back({{{"step", step}}, "", 1.0 * step, 1});
    record.compiles.push_back(compile_of(fmt::format("step={}", step)));
  }
  LaunchEvent launch = launch_of("step=1");
  for (int i = 1; i <= 100; ++i) {
    launch.elapsed_ns = 1000 + i;
    record.launches.insert(record.launches.begin(), launch);
  }
  const CallSummary call = cold();
  EXPECT_EQ(call.configs.size(), SummaryBounds::configs);
  EXPECT_EQ(call.configs_left_out, 302 - 256);
  EXPECT_EQ(call.configs.front().config, "step=2") << "the winner stays";
  EXPECT_EQ(call.events.size(), SummaryBounds::events);
  EXPECT_EQ(call.events_left_out, 302 + 3 - 100);
  const auto slow = std::find_if(call.configs.begin(), call.configs.end(),
                                 [](const auto& config) { return config.config == "step=1"; });
  ASSERT_EQ(slow, call.configs.end()) << "the slowest are left out";
  record.answer->winner = Config{{"step", 1}};
  const CallSummary other = cold();
  EXPECT_EQ(other.configs.front().samples_ns.size(), SummaryBounds::samples);
  EXPECT_EQ(other.configs.front().samples_ns.front(), 1000);
  EXPECT_EQ(other.configs.front().samples_ns.back(), 1100);
  const CallRecord one = hand_made.warm();
  for (std::size_t i = 0; i < SummaryBounds::calls; ++i)
    hand_made.record.processes[1].calls.push_back(one);
  EXPECT_EQ(summaries_of(hand_made.record)[1].calls.size(), SummaryBounds::calls);
  EXPECT_EQ(summaries_of(hand_made.record)[1].calls_left_out, 1);
}

}  // namespace
}  // namespace tunecheck::test
