#include "reports/summary/verdict.hpp"

#include <gmock/gmock.h>

#include "hand_made_gate.hpp"
#include "hand_made_results.hpp"
#include "hand_made_watch.hpp"

namespace tunecheck::test {
namespace {

VerdictLine line(Standing standing, int status) {
  return {standing, status, "WORD", "sentence"};
}

TEST(VerdictLine, of_a_run_with_known_failures_is_no_pass) {
  RunResult run = result_with_marks();
  run.scenarios.pop_back();
  const VerdictLine verdict = verdict_of(run);
  EXPECT_EQ(verdict.standing, Standing::known);
  EXPECT_EQ(verdict.status, 0);
  EXPECT_EQ(verdict.text(), "NO NEW FAILURE: 0 of 1 scenario held; 1 known failure");
}

TEST(VerdictLine, counts_only_what_can_be_tested_here) {
  RunResult run = mixed_result();
  run.scenarios.erase(run.scenarios.begin());
  EXPECT_EQ(verdict_of(run).text(), "FAIL: 1 of 2 scenarios failed; 1 held; 1 not testable here");
  EXPECT_EQ(verdict_of(run).standing, Standing::bad);
}

TEST(VerdictLine, of_a_quick_audit_is_not_complete) {
  AuditResult audit = complete_audit();
  EXPECT_EQ(verdict_of(audit).word, "COMPLETE");
  EXPECT_EQ(verdict_of(audit).standing, Standing::good);
  audit.quick = true;
  EXPECT_EQ(verdict_of(audit).word, "QUICK");
  EXPECT_EQ(verdict_of(audit).standing, Standing::open);
  EXPECT_EQ(verdict_of(incomplete_audit()).standing, Standing::bad);
}

TEST(VerdictLine, of_each_kind_has_the_status_of_the_command_that_wrote_it) {
  EXPECT_EQ(verdict_of(mixed_result()).status, 4);
  EXPECT_EQ(verdict_of(mixed_gate()).status, 2);
  EXPECT_EQ(verdict_of(mixed_gate()).standing, Standing::bad);
  EXPECT_EQ(verdict_of(mixed_watch()).status, 1);
  EXPECT_EQ(verdict_of(incomplete_audit()).status, 1);
}

// What was found is true of a watch that was cut short; that there is no more is not.
TEST(VerdictLine, of_a_watch_with_findings_says_that_it_was_cut_short) {
  WatchResult watch = mixed_watch();
  watch.is_interrupted = true;
  EXPECT_EQ(verdict_of(watch).status, 1);
  EXPECT_THAT(verdict_of(watch).text(),
              testing::HasSubstr("there may be more: the watch was ended before"));
  watch.is_interrupted = false;
  for (WatchResult::Run& run : watch.runs) {
    run.succeeded = false;
    run.end = "exit status 5";
  }
  EXPECT_THAT(verdict_of(watch).text(),
              testing::HasSubstr("no run of the program ended with status 0"));
  watch.findings.clear();
  EXPECT_EQ(verdict_of(watch).status, 4);
  EXPECT_EQ(verdict_of(watch).word, "NOT TRUSTED");
}

TEST(VerdictLine, of_a_history_says_how_many_changes_are_for_the_worse) {
  HistoryChanges history;
  history.contents.runs.resize(3);
  EXPECT_EQ(verdict_of(history).text(), "STEADY: no benchmark changed in 3 runs");
  history.changes.found.resize(2);
  history.changes.found[0].before = 2;
  history.changes.found[0].after = 1;
  history.changes.found[1].after = 1;
  EXPECT_EQ(verdict_of(history).text(),
            "SLOWER: 1 change for the worse, 1 for the better in 3 runs");
  EXPECT_EQ(verdict_of(history).standing, Standing::open);
  EXPECT_EQ(verdict_of(history).status, 0);
}

TEST(VerdictLine, what_cannot_be_trusted_is_worse_than_what_failed_and_that_than_what_is_slower) {
  const VerdictLine untrusted = line(Standing::untrusted, 4), failed = line(Standing::bad, 1),
                    slower = line(Standing::bad, 2), open = line(Standing::open, 0),
                    known = line(Standing::known, 0), good = line(Standing::good, 0);
  const std::vector<VerdictLine> all = {untrusted, failed, slower, open, known, good};
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t k = 0; k < all.size(); ++k)
      EXPECT_EQ(is_worse(all[i], all[k]), i < k) << i << " and " << k;
}

}  // namespace
}  // namespace tunecheck::test
