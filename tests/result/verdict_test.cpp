// Exit statuses and sums of results.
#include "result/verdict.hpp"

#include <gmock/gmock.h>

namespace tunecheck::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

RunResult run_with(const std::vector<Verdict>& verdicts) {
  RunResult run;
  for (const Verdict verdict : verdicts)
    run.scenarios.emplace_back().verdict = verdict;
  return run;
}

TEST(RunResult, exit_status_is_0_where_all_held) {
  EXPECT_EQ(run_with({Verdict::pass}).exit_status(), 0);
  EXPECT_EQ(run_with({Verdict::pass, Verdict::unsupported}).exit_status(), 0);
}

TEST(RunResult, exit_status_is_1_where_a_check_failed) {
  EXPECT_EQ(run_with({Verdict::fail}).exit_status(), 1);
  EXPECT_EQ(run_with({Verdict::pass, Verdict::fail, Verdict::unsupported}).exit_status(), 1);
  EXPECT_EQ(run_with({Verdict::fail, Verdict::fail, Verdict::fail}).exit_status(), 1);
}

TEST(RunResult, exit_status_is_4_where_the_run_is_not_to_be_trusted) {
  EXPECT_EQ(run_with({Verdict::error}).exit_status(), 4);
  EXPECT_EQ(run_with({Verdict::pass, Verdict::error}).exit_status(), 4);
  EXPECT_EQ(run_with({Verdict::fail, Verdict::error}).exit_status(), 4);
}

TEST(RunResult, exit_status_is_4_where_nothing_ran) {
  EXPECT_EQ(run_with({}).exit_status(), 4);
  EXPECT_EQ(run_with({Verdict::unsupported, Verdict::unsupported}).exit_status(), 4);
}

TEST(RunResult, exit_status_is_4_where_the_run_was_ended) {
  RunResult run = run_with({Verdict::pass, Verdict::fail});
  run.pending = {"a.pending"};
  EXPECT_EQ(run.exit_status(), 4);
}

TEST(RunResult, a_known_failure_counts_as_if_it_had_passed) {
  EXPECT_EQ(run_with({Verdict::known}).exit_status(), 0);
  EXPECT_EQ(run_with({Verdict::known, Verdict::pass, Verdict::unsupported}).exit_status(), 0);
  EXPECT_EQ(run_with({Verdict::known, Verdict::fail}).exit_status(), 1);
  EXPECT_EQ(run_with({Verdict::known, Verdict::error}).exit_status(), 4);
}

TEST(RunResult, counts_scenarios_by_verdict) {
  const RunResult run = run_with({Verdict::pass, Verdict::fail, Verdict::pass});
  EXPECT_EQ(run.count(Verdict::pass), 2);
  EXPECT_EQ(run.count(Verdict::fail), 1);
  EXPECT_EQ(run.count(Verdict::error), 0);
}

TEST(Stages, the_judges_share_leaves_out_adapter_and_references) {
  RunResult run;
  EXPECT_EQ(run.judge_share(), 0);
  run.stages = {1, 60, 30, 4, 5};
  run.stages += Stages{0, 100, 0, 0, 0};
  EXPECT_EQ(run.stages.own_ns(), 10);
  EXPECT_EQ(run.stages.total_ns(), 200);
  EXPECT_EQ(run.judge_share(), 0.05);
}

TEST(Verdict, has_the_name_of_result_files) {
  EXPECT_EQ(name_of(Verdict::pass), "pass");
  EXPECT_EQ(name_of(Verdict::fail), "fail");
  EXPECT_EQ(name_of(Verdict::unsupported), "unsupported");
  EXPECT_EQ(name_of(Verdict::error), "error");
  EXPECT_EQ(name_of(Verdict::known), "known");
}

// One mutant, caught by one of two scenarios; every check killed.
AuditResult complete_audit() {
  AuditResult audit;
  audit.mutants = {{"no_restore", ""}};
  audit.checks = {"inputs.pristine", "output.reference"};
  audit.kills = {{"no_restore", "a.a", {"inputs.pristine", "output.reference"}, Verdict::fail, ""}};
  audit.reference = run_with({Verdict::pass});
  return audit;
}

TEST(AuditResult, is_0_where_everything_is_caught) {
  EXPECT_EQ(complete_audit().exit_status(), 0);
  EXPECT_THAT(complete_audit().surviving_mutants(), IsEmpty());
  EXPECT_THAT(complete_audit().unkilled_checks(), IsEmpty());
  EXPECT_THAT(complete_audit().false_claims(), IsEmpty());
}

TEST(AuditResult, is_1_where_a_mutant_survives) {
  AuditResult audit = complete_audit();
  audit.mutants.push_back({"persist_losers", ""});
  EXPECT_THAT(audit.surviving_mutants(), ElementsAre("persist_losers"));
  EXPECT_EQ(audit.exit_status(), 1);
}

TEST(AuditResult, is_1_where_a_check_kills_nothing) {
  AuditResult audit = complete_audit();
  audit.checks.emplace_back("guard.intact");
  EXPECT_THAT(audit.unkilled_checks(), ElementsAre("guard.intact"));
  EXPECT_EQ(audit.exit_status(), 1);
}

TEST(AuditResult, is_1_where_a_scenario_claims_what_it_does_not_notice) {
  AuditResult audit = complete_audit();
  audit.kills.push_back({"no_restore", "b.b", {}, Verdict::pass, ""});
  EXPECT_THAT(audit.false_claims(), ElementsAre("no_restore in b.b"));
  EXPECT_THAT(audit.surviving_mutants(), IsEmpty());
  EXPECT_EQ(audit.exit_status(), 1);
}

TEST(AuditResult, a_scenario_that_this_machine_cannot_run_claims_nothing) {
  AuditResult audit = complete_audit();
  audit.kills.push_back({audit.mutants.at(0).name, "b.b", {}, Verdict::unsupported, "no mounts"});
  EXPECT_THAT(audit.false_claims(), IsEmpty());
  EXPECT_EQ(audit.exit_status(), 0);
}

TEST(AuditResult, is_1_where_the_true_tuner_is_not_clean) {
  for (const Verdict verdict : {Verdict::fail, Verdict::error, Verdict::unsupported}) {
    AuditResult audit = complete_audit();
    audit.reference = run_with({verdict});
    EXPECT_EQ(audit.exit_status(), 1) << name_of(verdict);
  }
}

TEST(AuditResult, is_1_without_any_mutant) {
  AuditResult audit = complete_audit();
  audit.mutants.clear();
  EXPECT_EQ(audit.exit_status(), 1);
}

}  // namespace
}  // namespace tunecheck::test
