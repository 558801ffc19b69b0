#include "reports/summary/causes.hpp"

#include <gmock/gmock.h>

#include "hand_made_results.hpp"
#include "reports/summary/failures.hpp"

namespace tunecheck::test {
namespace {

using testing::ElementsAre;
using testing::Pair;

std::vector<std::string> names_of(const std::vector<const CheckResult*>& checks) {
  std::vector<std::string> names;
  for (const CheckResult* const check : checks)
    names.push_back(check->check);
  return names;
}

TEST(Causes, one_cause_explains_most_of_thirty_failures) {
  const RunResult run = run_with_thirty_failures();
  const std::vector<Cause> causes = causes_of(run);
  ASSERT_EQ(causes.size(), 3U);
  EXPECT_EQ(causes[0].check, "inputs.pristine");
  EXPECT_EQ(causes[0].scenarios.size(), 28U);
  EXPECT_EQ(causes[0].own, 28U);
  EXPECT_THAT(causes[0].symptoms,
              ElementsAre(Pair("output.reference", 25U), Pair("corrupt.is_miss", 1U)));
  EXPECT_EQ(causes[1].check, "caller.unharmed");
  EXPECT_EQ(causes[1].own, 2U);
}

TEST(Causes, what_fails_for_two_causes_is_under_both_and_counted_once) {
  const RunResult run = run_with_thirty_failures();
  const std::vector<Cause> causes = causes_of(run);
  EXPECT_EQ(causes[2].check, "corrupt.is_miss");
  ASSERT_EQ(causes[2].scenarios.size(), 1U);
  EXPECT_EQ(causes[2].own, 0U);
  EXPECT_EQ(cause_of(*causes[2].scenarios[0], causes), 0U);
  std::size_t explained = 0;
  for (const Cause& cause : causes)
    explained += cause.own;
  EXPECT_EQ(explained, worst_first(run).size());
}

TEST(Causes, the_cause_stands_before_its_symptom_and_is_the_reason) {
  const RunResult run = run_with_thirty_failures();
  const ScenarioResult& scenario = run.scenarios[10];
  EXPECT_THAT(names_of(bad_checks(scenario)), ElementsAre("output.reference", "inputs.pristine"));
  EXPECT_THAT(names_of(causes_first(scenario)), ElementsAre("inputs.pristine", "output.reference"));
  EXPECT_TRUE(reason_of(scenario).starts_with("inputs.pristine: expected "));
}

TEST(Causes, the_clearest_scenario_of_a_cause_is_its_first) {
  const RunResult run = run_with_thirty_failures();
  const std::vector<Cause> causes = causes_of(run);
  // One that fails for two causes explains neither well.
  EXPECT_EQ(causes[0].scenarios.back()->name, "faults.of_two_kinds");
  EXPECT_TRUE(causes[0].scenarios.front()->name.starts_with("restore."));
}

TEST(Causes, an_error_without_a_check_is_told_by_its_message_and_comes_first) {
  const RunResult run = mixed_result();
  const std::vector<Cause> causes = causes_of(run);
  ASSERT_EQ(causes.size(), 2U);
  EXPECT_EQ(causes[0].check, "");
  EXPECT_EQ(causes[0].verdict, Verdict::error);
  EXPECT_EQ(causes[0].meaning, "the adapter ended before it answered");
  EXPECT_EQ(evidence_of(causes[0], *causes[0].scenarios[0]), nullptr);
  EXPECT_EQ(causes[1].check, "inputs.pristine");
}

TEST(Causes, known_failures_are_gathered_by_what_their_marks_say) {
  RunResult run = result_with_marks();
  run.scenarios.push_back(run.scenarios[0]);
  run.scenarios.push_back(run.scenarios[0]);
  run.scenarios.back().known->link = "https://example.org/issues/2";
  const std::vector<KnownCause> causes = known_causes_of(run);
  ASSERT_EQ(causes.size(), 2U);
  EXPECT_EQ(causes[0].link, "https://example.org/issues/1");
  EXPECT_EQ(causes[0].scenarios.size(), 2U);
  EXPECT_TRUE(causes_of(run).front().check.empty());  // the mark that must go
}

}  // namespace
}  // namespace tunecheck::test
