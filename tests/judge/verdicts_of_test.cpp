// Which checks are asked about which call.
#include "judge/run/verdicts_of.hpp"

#include <map>

#include <gmock/gmock.h>

#include "hand_made_record.hpp"
#include "judge/checks/table/check.hpp"
#include "judge/scenario/named_checks.hpp"

namespace tunecheck::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Key;
using testing::Not;
using testing::Pair;
using testing::UnorderedElementsAre;

// The results about one process by check, and in their order.
std::map<std::string, CheckResult> asked(const HandMadeRecord& record, const std::string& process) {
  std::map<std::string, CheckResult> found;
  for (const CheckResult& result : judge_record(record.record))
    if (result.process == process) found[result.check] = result;
  return found;
}

void fail_call(CallRecord& call) {
  call.answer->done = false;
  call.answer->winner.reset();
}

TEST(VerdictsOf, a_tuned_call_is_always_asked_these) {
  const HandMadeRecord record;
  EXPECT_THAT(asked(record, "cold"),
              UnorderedElementsAre(Key("output.reference"), Key("inputs.pristine"),
                                   Key("inputs.read_only_untouched"), Key("guard.intact"),
                                   Key("output.launched"), Key("launches.seen"),
                                   Key("winner.measured"), Key("trials.like_the_call"),
                                   Key("report.agrees"), Key("adapter.answers")));
}

TEST(VerdictsOf, what_needs_a_capability_is_not_asked_without_it) {
  HandMadeRecord record;
  EXPECT_THAT(asked(record, "warm"), Not(Contains(Key("launches.traced"))));
  record.adapter.capabilities = {"artifact"};
  EXPECT_THAT(asked(record, "warm"), Contains(Key("launches.traced")));
}

TEST(VerdictsOf, what_is_expected_and_needs_a_capability_says_which_one_and_spoils_no_verdict) {
  HandMadeRecord record;
  record.calls[1].expectations = {{find_check("key.explained"), "shape", 23}};
  const auto answers = asked(record, "warm");
  ASSERT_THAT(answers, Contains(Key("key.explained")));
  const CheckResult& one = answers.at("key.explained");
  EXPECT_EQ(one.verdict, Verdict::unsupported);
  EXPECT_EQ(one.expected, "capability explain");
  EXPECT_EQ(worst_of(judge_record(record.record)), Verdict::pass);
}

TEST(VerdictsOf, what_observers_cannot_see_of_a_tuner_is_left_out_with_the_reason) {
  HandMadeRecord record;
  record.adapter.unseen = {{"winner.measured", {"its trials are not watched"}}};
  const auto answers = asked(record, "cold");
  ASSERT_THAT(answers, Contains(Key("winner.measured")));
  EXPECT_EQ(answers.at("winner.measured").verdict, Verdict::unsupported);
  EXPECT_EQ(answers.at("winner.measured").observed, "its trials are not watched");
  EXPECT_EQ(worst_of(judge_record(record.record)), Verdict::pass);
}

TEST(VerdictsOf, what_no_machine_can_see_is_not_asked) {
  HandMadeRecord record;
  record.record.processes[0].programs_not_seen = "it is forbidden";
  EXPECT_THAT(asked(record, "cold"), Not(Contains(Key("launches.seen"))));
}

TEST(VerdictsOf, what_a_launch_left_is_not_asked_on_a_gpu) {
  HandMadeRecord record;
  record.record.backend = DeviceKind::cuda;
  EXPECT_THAT(asked(record, "cold"), Not(Contains(Key("output.launched"))));
  // Not even where the scenario, which runs on CPUs too, names it.
  record.calls[0].expectations = {{find_check("output.launched"), "yes", 12}};
  EXPECT_THAT(asked(record, "cold"), Not(Contains(Key("output.launched"))));
}

TEST(VerdictsOf, a_hit_is_not_asked_whether_its_winner_was_measured) {
  const auto results = asked(HandMadeRecord(), "warm");
  EXPECT_THAT(results, Not(Contains(Key("winner.measured"))));
  EXPECT_THAT(results, Contains(Key("output.reference")));
}

TEST(VerdictsOf, inputs_are_not_asked_for_where_nobody_watches) {
  HandMadeRecord record;
  record.scenario.watch = false;
  EXPECT_THAT(asked(record, "cold"), Not(Contains(Key("inputs.pristine"))));
  record.calls[0].expectations = {{find_check("inputs.pristine"), "yes", 12}};
  EXPECT_EQ(asked(record, "cold").at("inputs.pristine").verdict, Verdict::error);
}

TEST(VerdictsOf, a_call_that_is_expected_to_fail_is_asked_for_the_callers_arguments) {
  HandMadeRecord record;
  record.calls[0].end = CallEnd::failed;
  fail_call(record.cold());
  EXPECT_THAT(asked(record, "cold"),
              UnorderedElementsAre(Key("caller.unharmed"), Key("adapter.answers")));
}

TEST(VerdictsOf, a_call_that_fails_unexpectedly_fails_its_checks) {
  HandMadeRecord record;
  fail_call(record.cold());
  EXPECT_EQ(asked(record, "cold").at("output.reference").verdict, Verdict::fail);
}

// No two processes launched, and none left bits to compare with: the call that failed is why.
TEST(VerdictsOf, what_a_failed_call_leaves_others_to_compare_with_is_no_error) {
  HandMadeRecord record;
  record.calls[1].expectations = {{find_check("result.same_bits"), "cold", 23}};
  fail_call(record.cold());
  EXPECT_THAT(asked(record, "warm"), Not(Contains(Key("result.same_bits"))));
  EXPECT_EQ(worst_of(judge_record(record.record)), Verdict::fail);
  record.cold().answer.reset();
  record.cold().trouble = "the adapter ended instead";
  EXPECT_THAT(asked(record, "warm"), Not(Contains(Key("result.same_bits"))));
  EXPECT_EQ(worst_of(judge_record(record.record)), Verdict::fail);
  // It did not come to a call.
  record.record.processes[0].calls.clear();
  record.record.processes[0].trouble = "it gave no answer to hello";
  EXPECT_THAT(asked(record, "warm"), Not(Contains(Key("result.same_bits"))));
  EXPECT_EQ(worst_of(judge_record(record.record)), Verdict::fail);
}

TEST(VerdictsOf, of_processes_of_one_start_it_is_likewise) {
  HandMadeRecord record;
  const ProcessGroup start;
  record.calls[1].expectations = {{find_check("ranks.same_winner"), "yes", 23}};
  for (ProcessRecord& process : record.record.processes)
    process.group = &start;
  fail_call(record.cold());
  record.cold().launches.clear();
  EXPECT_THAT(asked(record, "warm"), Not(Contains(Key("ranks.same_winner"))));
  EXPECT_EQ(worst_of(judge_record(record.record)), Verdict::fail);
}

TEST(VerdictsOf, what_is_missing_although_no_call_failed_is_an_error) {
  HandMadeRecord record;
  const ProcessGroup start;
  record.calls[1].expectations = {{find_check("ranks.same_winner"), "yes", 23},
                                  {find_check("result.same_bits"), "nobody", 24}};
  record.record.processes[1].group = &start;
  EXPECT_EQ(asked(record, "warm").at("ranks.same_winner").verdict, Verdict::error);
  EXPECT_EQ(asked(record, "warm").at("result.same_bits").verdict, Verdict::error);
  // One that failed and has no part in it.
  fail_call(record.cold());
  EXPECT_EQ(asked(record, "warm").at("ranks.same_winner").verdict, Verdict::error);
}

TEST(VerdictsOf, a_call_that_succeeds_unexpectedly_fails) {
  HandMadeRecord record;
  record.calls[0].end = CallEnd::failed;
  EXPECT_EQ(asked(record, "cold").at("caller.unharmed").verdict, Verdict::fail);
}

TEST(VerdictsOf, an_expectation_is_asked_with_its_parameter_and_line) {
  HandMadeRecord record;
  record.calls[1].expectations = {{find_check("reload.same_winner"), "cold", 23}};
  const auto results = asked(record, "warm");
  ASSERT_TRUE(results.contains("reload.same_winner"));
  const CheckResult& result = results.at("reload.same_winner");
  EXPECT_EQ(result.verdict, Verdict::pass);
  EXPECT_EQ(result.line, 23);
  EXPECT_EQ(result.call, 1);
  EXPECT_EQ(result.expected, "the winner of process \"cold\": step=2");
  EXPECT_EQ(result.observed, "step=2 was launched");
  EXPECT_THAT(result.evidence, ElementsAre("warm/evidence.jsonl", "warm/adapter.log"));
  EXPECT_EQ(results.at("output.reference").line, 21);
}

TEST(VerdictsOf, an_expectation_that_is_always_asked_is_asked_once) {
  HandMadeRecord record;
  record.calls[0].expectations = {{find_check("output.reference"), "yes", 12}};
  std::vector<int> lines;
  for (const CheckResult& result : judge_record(record.record))
    if (result.check == "output.reference" && result.process == "cold")
      lines.push_back(result.line);
  EXPECT_THAT(lines, ElementsAre(12));
}

TEST(VerdictsOf, one_check_with_two_parameters_is_asked_twice) {
  HandMadeRecord record;
  record.adapter.capabilities = {"explain"};
  record.cold().answer->missed_axes = {"shape"};
  record.calls[0].expectations = {{find_check("key.explained"), "shape", 12},
                                  {find_check("key.explained"), "dtype", 13}};
  std::vector<std::pair<int, Verdict>> answers;
  for (const CheckResult& result : judge_record(record.record))
    if (result.check == "key.explained") answers.emplace_back(result.line, result.verdict);
  EXPECT_THAT(answers, ElementsAre(Pair(12, Verdict::pass), Pair(13, Verdict::fail)));
}

TEST(VerdictsOf, a_process_that_ends_well_answers) {
  const auto results = asked(HandMadeRecord(), "cold");
  ASSERT_TRUE(results.contains("adapter.answers"));
  EXPECT_EQ(results.at("adapter.answers").verdict, Verdict::pass);
  EXPECT_EQ(results.at("adapter.answers").call, 0);
  EXPECT_EQ(results.at("adapter.answers").line, 10);
  EXPECT_EQ(results.at("adapter.answers").observed, "exit status 0");
}

TEST(VerdictsOf, a_process_that_ends_badly_does_not) {
  HandMadeRecord record;
  record.record.processes[0].trouble = "it was asked to quit and crashed";
  const auto results = asked(record, "cold");
  EXPECT_EQ(results.at("adapter.answers").verdict, Verdict::fail);
  EXPECT_EQ(results.at("adapter.answers").observed, "it was asked to quit and crashed");
  EXPECT_EQ(results.at("output.reference").verdict, Verdict::pass);
}

TEST(VerdictsOf, silence_is_one_failure_of_the_call_and_nothing_else) {
  HandMadeRecord record;
  record.cold().answer.reset();
  record.cold().trouble = "the adapter ended instead";
  record.calls[0].expectations = {{find_check("key.must_miss"), "yes", 12}};
  const auto results = asked(record, "cold");
  ASSERT_THAT(results, ElementsAre(Key("adapter.answers")));
  EXPECT_EQ(results.at("adapter.answers").verdict, Verdict::fail);
  EXPECT_EQ(results.at("adapter.answers").call, 1);
  EXPECT_EQ(results.at("adapter.answers").observed, "the adapter ended instead");
}

TEST(VerdictsOf, a_silent_tuner_has_failed_what_asks_whether_it_goes_on) {
  HandMadeRecord record;
  record.cold().answer.reset();
  record.cold().trouble = "the adapter ended instead";
  for (const Check& check : all_checks())
    if (check.judge != nullptr) record.calls[0].expectations.push_back({&check, "yes", 12});
  auto results = asked(record, "cold");
  EXPECT_EQ(results.erase(std::string(adapter_answers)), 1U);
  EXPECT_THAT(results, UnorderedElementsAre(Key("tuning.survives"), Key("waiter.never_hangs"),
                                            Key("waiter.gives_up"), Key("store.old_or_new"),
                                            Key("corrupt.is_miss")));
  EXPECT_EQ(results.at("tuning.survives").verdict, Verdict::fail);
  EXPECT_EQ(results.at("tuning.survives").line, 12);
  EXPECT_EQ(results.at("tuning.survives").observed, "the adapter ended instead");
}

TEST(WorstOf, error_comes_before_fail_before_pass) {
  const auto results = [](const std::vector<Verdict>& verdicts) {
    std::vector<CheckResult> checks;
    for (const Verdict verdict : verdicts)
      checks.emplace_back().verdict = verdict;
    return checks;
  };
  using enum Verdict;
  EXPECT_EQ(worst_of(results({pass, pass})), pass);
  EXPECT_EQ(worst_of(results({pass, fail, pass})), fail);
  EXPECT_EQ(worst_of(results({error, fail, pass})), error);
  EXPECT_EQ(worst_of(results({fail, error, pass})), error);
}

TEST(WorstOf, nothing_is_an_error) {
  EXPECT_EQ(worst_of({}), Verdict::error);
}

TEST(Needs, are_those_of_the_checks_that_a_call_names_on_that_kind_of_device) {
  using enum ExtraEvidence;
  using enum DeviceKind;
  CallStep call;
  call.expectations = {{find_check("guard.intact"), "yes", 1}};
  EXPECT_FALSE(needs(call, own_measurement, cuda));
  call.expectations.push_back({find_check("tuning.survives"), "yes", 2});
  EXPECT_FALSE(needs(call, own_measurement, cpu));
  EXPECT_TRUE(needs(call, own_measurement, cuda));
  EXPECT_TRUE(needs(call, own_measurement, hip));
  call.expectations.push_back({find_check("winner.regret"), "5", 3});
  EXPECT_TRUE(needs(call, own_measurement, cpu));
  EXPECT_FALSE(needs(call, listed_cache, cuda));
  call.expectations.push_back({find_check("store.before_first_launch"), "yes", 4});
  EXPECT_TRUE(needs(call, listed_cache, sim));
  EXPECT_FALSE(needs(call, device_memory, cuda));
  call.expectations.push_back({find_check("memory.device_flat"), "1M", 5});
  EXPECT_TRUE(needs(call, device_memory, cuda));
}

TEST(Unanswered, are_the_checks_that_calls_name_and_that_have_no_answer) {
  Scenario scenario;
  ProcessStep process;
  CallStep call, killed;
  call.expectations = {{find_check("key.must_miss"), "yes", 1},
                       {find_check("guard.intact"), "yes", 2}};
  killed.end = CallEnd::killed;
  killed.expectations = {{find_check("key.must_hit"), "yes", 3}};
  process.steps = {call, killed};
  scenario.steps = {process};
  EXPECT_THAT(unanswered(scenario, {}, DeviceKind::cpu),
              ElementsAre("guard.intact", "key.must_miss"));
  CheckResult answer;
  answer.check = "guard.intact";
  EXPECT_THAT(unanswered(scenario, {answer}, DeviceKind::cpu), ElementsAre("key.must_miss"));
}

}  // namespace
}  // namespace tunecheck::test
