#include <gmock/gmock.h>

#include "hand_made_results.hpp"
#include "reports/terminal/terminal.hpp"

namespace tunecheck::test {
namespace {

using testing::HasSubstr;
using testing::Not;

TerminalOptions plain() {
  return {.out = "out"};
}

TEST(AuditSummary, reads_like_this) {
  EXPECT_EQ("\n" + audit_summary(incomplete_audit(), plain()), R"(
tunecheck 0.1.0 audited 2 checks with 2 mutants in 2 scenarios on cpu

mutant                            caught by check, in how many scenarios
no_restore                        inputs.pristine 2
sleeper                           SURVIVES

Mutants that survive, so that a tuner with such a bug would pass:
  sleeper                         forgets at night

Checks that no mutant makes fail, so it is not known whether they can:
  output.reference

Scenarios that name a mutant in "catches" but do not notice it:
  restore.fine                    sleeper: pass

INCOMPLETE: 1 survivor, 1 unkilled check, 1 false claim; 61.00 s; out/audit.json
)");
}

TEST(AuditSummary, a_complete_one_ends_with_complete) {
  const std::string text = audit_summary(complete_audit(), plain());
  EXPECT_THAT(text,
              HasSubstr("no_restore                        inputs.pristine 2, output.reference 1"));
  EXPECT_THAT(
      text, HasSubstr("\nCOMPLETE: 1 mutant caught, the true tuner passes 2 scenarios; 61.00 s;"));
  EXPECT_THAT(text, Not(HasSubstr("SURVIVES")));
}

TEST(AuditSummary, of_selected_mutants_does_not_speak_of_checks) {
  AuditResult audit = complete_audit();
  audit.checks.clear();
  EXPECT_THAT(audit_summary(audit, plain()),
              HasSubstr("tunecheck 0.1.0 audited 1 mutant in 2 scenarios on cpu\n"));
}

TEST(AuditSummary, a_true_tuner_that_fails_is_explained) {
  AuditResult audit = complete_audit();
  audit.reference = mixed_result();
  const std::string text = audit_summary(audit, plain());
  EXPECT_THAT(text, HasSubstr("FAIL   restore.axpy"));
  EXPECT_THAT(text, HasSubstr(", true tuner fails; 61.00 s;"));
}

TEST(AuditSummary, a_mutant_that_no_scenario_names_is_pointed_out) {
  AuditResult audit = incomplete_audit();
  audit.kills.pop_back();
  EXPECT_THAT(audit_summary(audit, plain()), HasSubstr("(no scenario names it in \"catches\")"));
}

TEST(AuditSummary, a_claim_that_ended_in_an_error_says_why) {
  AuditResult audit = incomplete_audit();
  audit.kills[2].verdict = Verdict::error;
  audit.kills[2].message = "the adapter died";
  EXPECT_THAT(audit_summary(audit, plain()), HasSubstr("sleeper: error, the adapter died"));
}

TEST(AuditSummary, of_a_quick_one_never_says_that_it_is_complete) {
  AuditResult audit = complete_audit();
  audit.quick = true;
  const std::string text = audit_summary(audit, {});
  EXPECT_THAT(text, HasSubstr("\nQUICK: 1 mutant caught, by one scenario each; this selection"));
  EXPECT_THAT(text, Not(HasSubstr("COMPLETE")));
}

TEST(AuditSummary, names_the_mutants_of_other_devices) {
  AuditResult audit;
  audit.elsewhere = {"leaks_snapshot", "times_hot_cache"};
  EXPECT_THAT(audit_summary(audit, plain()),
              HasSubstr("scenarios for another kind of device name them:\n"
                        "  leaks_snapshot, times_hot_cache\n"));
}

}  // namespace
}  // namespace tunecheck::test
