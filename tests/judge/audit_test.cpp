// Judging the judge, on a scenario of the test's own.
#include "judge/run/audit.hpp"

#include <gmock/gmock.h>

#include "core/device_kinds.hpp"
#include "observe/programs/program_filter.hpp"
#include "scenario_folder.hpp"

namespace tunecheck::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class AuditCase : public testing::Test {
 protected:
  Result<AuditResult> audit_all(const std::string& scenarios, const std::string& mutants,
                                bool quick, bool few_for_true_tuner = false) {
    Catalogue catalogue;
    catalogue.kernels = folder.kernels();
    for (const Scenario& scenario : folder.scenarios(scenarios))
      catalogue.scenarios.emplace(scenario.name, scenario);
    AuditOptions options;
    options.mutants = {mutants};
    options.quick = quick;
    options.few_for_true_tuner = few_for_true_tuner;
    options.tasks.out = folder.path() / "out";
    return run_audit(catalogue, options);
  }
  Result<AuditResult> audit(const std::string& catches, const std::string& mutants) {
    return audit_all(scenario_text("process cold { call { } }", "catches \"" + catches + "\""),
                     mutants, false);
  }

  /// One scenario that runs on the CPU, and one that runs on a GPU alone.
  [[nodiscard]] Catalogue here_and_there(const std::string& here, const std::string& there) const {
    Catalogue catalogue;
    catalogue.kernels = folder.kernels();
    catalogue.scenarios["test.here"] = folder.scenarios(here).at(0);
    Scenario& elsewhere = catalogue.scenarios["test.there"] = folder.scenarios(there).at(0);
    elsewhere.backends = {DeviceKind::cuda};
    catalogue.scenarios["test.here"].name = "test.here";
    elsewhere.name = "test.there";
    return catalogue;
  }

  ScenarioFolder folder;
};

TEST_F(AuditCase, shows_which_check_catches_which_mutant) {
  const auto result = audit("no_restore", "no_restore");
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_EQ(result->exit_status(), 0);
  ASSERT_EQ(result->mutants.size(), 1U);
  EXPECT_EQ(result->mutants[0].name, "no_restore");
  EXPECT_FALSE(result->mutants[0].summary.empty());
  ASSERT_EQ(result->kills.size(), 1U);
  EXPECT_EQ(result->kills[0].mutant, "no_restore");
  EXPECT_EQ(result->kills[0].scenario, "test.toy");
  EXPECT_EQ(result->kills[0].verdict, Verdict::fail);
  EXPECT_THAT(result->kills[0].checks, Contains("inputs.pristine"));
  ASSERT_EQ(result->reference.scenarios.size(), 1U);
  EXPECT_EQ(result->reference.scenarios[0].verdict, Verdict::pass);
}

TEST_F(AuditCase, a_claim_that_the_scenario_does_not_keep_is_false) {
  const auto result = audit("persist_losers no_restore", "persist_losers");
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_THAT(result->false_claims(), ElementsAre("persist_losers in test.toy"));
  EXPECT_THAT(result->surviving_mutants(), ElementsAre("persist_losers"));
  EXPECT_EQ(result->exit_status(), 1);
}

TEST_F(AuditCase, a_mutant_that_no_scenario_claims_survives) {
  const auto result = audit("no_restore", "persist_losers");
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_THAT(result->kills, IsEmpty());
  EXPECT_THAT(result->surviving_mutants(), ElementsAre("persist_losers"));
  EXPECT_EQ(result->exit_status(), 1);
}

TEST_F(AuditCase, a_mutant_that_only_scenarios_of_another_device_claim_is_left_out) {
  const std::string steps = "process cold { call { } }";
  const Catalogue catalogue = here_and_there(scenario_text(steps, "catches no_restore"),
                                             scenario_text(steps, "catches persist_losers"));
  AuditOptions options;
  options.mutants = {"no_restore", "persist_losers"};
  options.tasks.out = folder.path() / "out";
  const auto result = run_audit(catalogue, options);
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_THAT(result->elsewhere, ElementsAre("persist_losers"));
  EXPECT_THAT(result->surviving_mutants(), IsEmpty());
  EXPECT_EQ(result->reference.scenarios.size(), 1U);
  EXPECT_EQ(result->exit_status(), 0);
}

TEST_F(AuditCase, a_check_that_only_scenarios_of_another_device_name_is_left_out) {
  const Catalogue catalogue =
      here_and_there(scenario_text("process a { call { expect { cache miss } } }"),
                     scenario_text("process a { call { expect { compiles 0 } } }"));
  AuditOptions options;
  options.tasks.out = folder.path() / "out";
  const auto result = run_audit(catalogue, options);
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_THAT(result->checks, Contains("key.must_miss"));
  EXPECT_THAT(result->checks, Contains("key.must_hit")) << "no scenario names it";
  EXPECT_THAT(result->checks, testing::Not(Contains("reload.no_compile")));
}

class BorneCase : public AuditCase {
 protected:
  void SetUp() override {
    if (const std::string why = why_programs_are_not_seen(); !why.empty()) GTEST_SKIP() << why;
  }
  Result<AuditResult> audit_bears(const std::string& bears) {
    return audit_all(scenario_text("process cold { call { } }", "bears { " + bears + " }"),
                     "adversary:*", false);
  }
};

TEST_F(BorneCase, an_adversary_must_be_named_by_the_check_that_the_scenario_says) {
  const auto result =
      audit_bears("hands_over_another_result output.launched\nasks_other_programs pass");
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_THAT(result->false_claims(), IsEmpty());
  ASSERT_EQ(result->kills.size(), 2U);
  EXPECT_EQ(result->kills[0].mutant, "adversary:asks_other_programs");
  EXPECT_EQ(result->kills[0].verdict, Verdict::pass);
  EXPECT_THAT(result->kills[1].checks, Contains("output.launched"));
  // Those that this scenario does not name.
  EXPECT_EQ(result->surviving_mutants().size() + 2, result->mutants.size());
}

TEST_F(BorneCase, one_that_comes_out_otherwise_is_a_false_claim) {
  const auto result =
      audit_bears("hands_over_another_result pass\nasks_other_programs output.launched");
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_THAT(result->false_claims(),
              testing::UnorderedElementsAre("adversary:asks_other_programs in test.toy",
                                            "adversary:hands_over_another_result in test.toy"));
  EXPECT_EQ(result->exit_status(), 1);
}

TEST_F(BorneCase, an_unknown_one_is_refused) {
  const auto result = audit_bears("asks_other_program pass");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().key, "bears");
  EXPECT_THAT(result.error().message, HasSubstr("adversary:asks_other_programs"));
}

TEST_F(AuditCase, an_unknown_mutant_in_catches_is_refused_before_anything_runs) {
  const auto result = audit("no_restor", "*");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().file, folder.file());
  EXPECT_EQ(result.error().line, 1);
  EXPECT_EQ(result.error().key, "catches");
  EXPECT_THAT(result.error().message,
              HasSubstr("unknown mutant \"no_restor\"; did you mean \"no_restore\"?"));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "out"));
}

TEST_F(AuditCase,
       a_quick_one_runs_the_cheapest_scenario_of_a_mutant_and_a_selection_of_the_true_tuner) {
  const std::string catches = "catches \"no_restore\"";
  const std::string scenarios =
      scenario_text("process cold { call { } call { } }", catches, "test.dear") +
      scenario_text("process cold { call { } }", catches, "test.near");
  const auto whole = audit_all(scenarios, "no_restore", false);
  ASSERT_TRUE(whole) << whole.error().text();
  EXPECT_EQ(whole->kills.size(), 2U);
  EXPECT_EQ(whole->reference.scenarios.size(), 2U);
  const auto quick = audit_all(scenarios, "no_restore", true);
  ASSERT_TRUE(quick) << quick.error().text();
  EXPECT_TRUE(quick->quick);
  ASSERT_EQ(quick->kills.size(), 1U);
  EXPECT_EQ(quick->kills[0].scenario, "test.near");
  ASSERT_EQ(quick->reference.scenarios.size(), 1U);
  EXPECT_EQ(quick->reference.scenarios[0].name, "test.near");
  EXPECT_EQ(quick->exit_status(), 0);
}

TEST_F(AuditCase, with_few_for_the_true_tuner_mutants_run_on_all_that_name_them) {
  const std::string catches = "catches \"no_restore\"";
  const std::string scenarios =
      scenario_text("process cold { call { } call { } }", catches, "test.dear") +
      scenario_text("process cold { call { } }", catches, "test.near");
  const auto audit = audit_all(scenarios, "no_restore", false, true);
  ASSERT_TRUE(audit) << audit.error().text();
  EXPECT_FALSE(audit->quick);
  EXPECT_EQ(audit->kills.size(), 2U);
  ASSERT_EQ(audit->reference.scenarios.size(), 1U);
  EXPECT_EQ(audit->reference.scenarios[0].name, "test.near");
  EXPECT_EQ(audit->exit_status(), 0);
}

TEST_F(AuditCase, a_quick_one_of_named_mutants_runs_the_true_tuner_where_they_are_judged) {
  const std::string scenarios =
      scenario_text("process cold { call { } }", "catches \"no_restore\"", "test.mine") +
      scenario_text("process cold { call { expect { cache miss } } }", "", "near.another");
  const auto quick = audit_all(scenarios, "no_restore", true);
  ASSERT_TRUE(quick) << quick.error().text();
  ASSERT_EQ(quick->reference.scenarios.size(), 1U);
  EXPECT_EQ(quick->reference.scenarios[0].name, "test.mine");
}

TEST_F(AuditCase, globs_that_match_no_mutant_are_refused) {
  const auto result = audit("no_restore", "nothing_like_it");
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("no mutant matches"));
}

}  // namespace
}  // namespace tunecheck::test
