#include "reports/summary/brief.hpp"

#include <cmath>

#include <gmock/gmock.h>

#include "gate/rule/change_text.hpp"
#include "hand_made_gate.hpp"
#include "hand_made_results.hpp"
#include "hand_made_watch.hpp"
#include "reports/summary/quantity.hpp"

namespace tunecheck::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// Whatever it is about, no answer is left out.
void expect_answers(const Brief& brief) {
  for (const std::string* answer :
       {&brief.broke, &brief.why, &brief.since, &brief.whose, &brief.next, &brief.verdict.word})
    EXPECT_FALSE(answer->empty()) << name_of(brief.kind) << ": " << brief.verdict.text();
}

HistoryChanges slower_history() {
  HistoryChanges history;
  history.contents.runs.resize(2);
  history.contents.runs[0].id = 7;
  history.contents.runs[0].revision = "0123456789abcdef";
  history.contents.runs[0].tuner = "tuner 1";
  history.contents.runs[1].id = 8;
  history.contents.runs[1].revision = "fedcba9876543210";
  history.contents.runs[1].tuner = "tuner 2";
  history::Change change;
  change.benchmark = "sort/64";
  change.unit = "ns";
  change.last_before = 7;
  change.first_after = 8;
  change.before = 1500;
  change.after = 1650;
  change.p = 0.004;
  history.changes.found = {change};
  return history;
}

TEST(Brief, answers_all_five_questions_of_every_document) {
  expect_answers(brief_of(run_with_thirty_failures(), {}));
  expect_answers(brief_of(mixed_result(), {}));
  expect_answers(brief_of(result_with_marks(), {}));
  expect_answers(brief_of(RunResult{}, {}));
  expect_answers(brief_of(mixed_gate(), {}));
  expect_answers(brief_of(gate::GateResult{}, {}));
  expect_answers(brief_of(mixed_watch()));
  expect_answers(brief_of(WatchResult{}));
  expect_answers(brief_of(incomplete_audit(), {}));
  expect_answers(brief_of(complete_audit(), {}));
  expect_answers(brief_of(slower_history(), {}));
  expect_answers(brief_of(HistoryChanges{}, {}));
}

TEST(Brief, of_thirty_failures_names_the_cause_and_its_clearest_scenario) {
  const Brief brief = brief_of(run_with_thirty_failures(), {});
  EXPECT_THAT(brief.broke,
              StartsWith("inputs.pristine in 28 of 30 failures; it asks that every launch sees "));
  EXPECT_THAT(brief.broke, HasSubstr("; then caller.unharmed 2, corrupt.is_miss 1"));
  EXPECT_THAT(brief.why, HasSubstr("83 of 84 launches saw another one"));
  EXPECT_THAT(brief.whose, StartsWith("the tuner's: tunecheck reference 0.1.0"));
  EXPECT_EQ(brief.command, "tunecheck run 'restore.scenario_10' --adapter reference");
}

TEST(Brief, of_a_run_with_a_base_says_how_many_are_new) {
  RunResult run = run_with_thirty_failures(), base = run;
  run.environment["commit"] = "1111111111aaaa";
  base.environment["commit"] = "2222222222bbbb";
  base.scenarios[0].verdict = base.scenarios[1].verdict = Verdict::pass;
  base.scenarios.back().verdict = Verdict::fail;
  const BriefContext context = {{&base, 1}, "https://example.org/tuner"};
  const Brief brief = brief_of(run, context);
  EXPECT_EQ(brief.since,
            "2 new at commit 1111111111 since the base, commit 2222222222, 2024-05-01; 28 failed "
            "there as well; 1 fixed");
  EXPECT_EQ(brief.compare, "https://example.org/tuner/compare/2222222222bbbb...1111111111aaaa");
  EXPECT_THAT(brief_of(run, {}).since, HasSubstr("--base RESULT"));
  EXPECT_EQ(brief_of(run, {}).compare, "");
}

TEST(Brief, of_a_run_tells_what_the_base_was_not_asked_from_what_is_new) {
  RunResult run = run_with_thirty_failures(), base = run;
  base.scenarios[0].verdict = base.scenarios[1].verdict = Verdict::pass;
  base.scenarios[2].verdict = Verdict::unsupported;
  for (std::size_t i = 3; i < 10; ++i)
    base.pending.push_back(base.scenarios[i].name);
  base.scenarios.erase(base.scenarios.begin() + 3, base.scenarios.begin() + 10);
  const std::string since = brief_of(run, {{&base, 1}, {}}).since;
  EXPECT_THAT(since, StartsWith("2 new since the base, "));
  EXPECT_THAT(since, HasSubstr("; 20 failed there as well; 8 were not asked there; 0 fixed; "));
  EXPECT_THAT(since, HasSubstr("; the base is not complete: the run was ended, 7 of "));
}

TEST(Brief, of_new_and_old_failures_names_the_clearest_new_one) {
  RunResult run = run_with_thirty_failures(), base = run;
  const std::string old = brief_of(run, {}).command;
  for (ScenarioResult& scenario : base.scenarios)
    if (scenario.name == "restore.scenario_17") scenario.verdict = Verdict::pass;
  const Brief brief = brief_of(run, {{&base, 1}, {}});
  EXPECT_NE(brief.command, old);
  EXPECT_EQ(brief.command, "tunecheck run 'restore.scenario_17' --adapter reference");
  EXPECT_THAT(brief.why, HasSubstr("seen in restore.scenario_17"));
  EXPECT_THAT(brief.next, StartsWith("repeat restore.scenario_17, the clearest of the new ones, "));
}

TEST(Brief, of_a_run_that_was_ended_goes_on_with_it_and_tells_what_had_failed) {
  RunResult run = run_with_thirty_failures();
  run.pending = {"restore.later"};
  for (ScenarioResult& scenario : run.scenarios)
    scenario.repro = "tunecheck run " + scenario.name +
                     " --adapter reference --backend cuda --known known.info --out 'my out/repeat' "
                     "--seed 7 --keep";
  const Brief brief = brief_of(run, {});
  EXPECT_THAT(brief.broke,
              StartsWith("the run itself; until then inputs.pristine in 28 of 30 failures"));
  EXPECT_THAT(brief.why, HasSubstr("83 of 84 launches saw another one"));
  EXPECT_EQ(brief.next, "run it to its end");
  EXPECT_EQ(brief.command,
            "tunecheck run --adapter reference --backend cuda --known known.info --seed 7 --out "
            "'my out' --resume");
  run.file = "/elsewhere/result.json";
  EXPECT_THAT(brief_of(run, {}).command, HasSubstr(" --out /elsewhere --resume"));
  run.scenarios.clear();
  run.file = "";
  EXPECT_EQ(brief_of(run, {}).command, "tunecheck run --adapter reference --resume");
  EXPECT_EQ(brief_of(run, {}).broke, "the run itself; nothing had failed until then");
}

TEST(Brief, of_a_check_that_it_does_not_know_says_no_more_than_its_name) {
  RunResult run = run_with_thirty_failures();
  for (ScenarioResult& scenario : run.scenarios)
    for (CheckResult& check : scenario.checks)
      check.check = "later.check";
  EXPECT_THAT(brief_of(run, {}).broke, Not(HasSubstr("it asks that")));
}

TEST(Brief, of_a_run_says_that_the_base_that_was_given_is_another_tuners) {
  const RunResult run = run_with_thirty_failures();
  RunResult base = run;
  base.adapter = "other";
  const std::string since = brief_of(run, {{&base, 1}, {}}).since;
  EXPECT_EQ(since,
            "not known: the base is of adapter other on cpu, and this run of adapter "
            "reference on cpu");
}

TEST(Brief, of_an_audit_with_a_base_says_which_gaps_are_new) {
  const AuditResult audit = incomplete_audit();
  EXPECT_THAT(brief_of(audit, {}).since, HasSubstr("this report has no base"));
  std::vector<ReportSource<AuditResult>> base = {{"base.json", audit}};
  EXPECT_THAT(brief_of(audit, {{}, {}, {}, base}).since, StartsWith("0 new since the base, "));
  base[0].content = complete_audit();
  EXPECT_THAT(brief_of(audit, {{}, {}, {}, base}).since, HasSubstr(" new since the base, "));
  EXPECT_THAT(brief_of(audit, {{}, {}, {}, base}).since, HasSubstr("sleeper"));
  const std::vector<ReportSource<AuditResult>> worse = {{"base.json", audit}};
  EXPECT_THAT(brief_of(base[0].content, {{}, {}, {}, worse}).since,
              HasSubstr("0 missing there as well"));
  base[0].content.reference.adapter = "other";
  EXPECT_THAT(brief_of(audit, {{}, {}, {}, base}).since, HasSubstr("bugs of another adapter"));
}

TEST(Quantities, large_percentages_of_a_stored_sentence_are_factors) {
  EXPECT_EQ(with_factors("5858.3 % slower, at least 4.1 % slower"),
            "59.6 times as long, at least 4.1 % slower");
  EXPECT_EQ(with_factors("at most 200 % slower"), "at most 3 times as long");
  EXPECT_EQ(with_factors("12 pairs of +6902.9 %; +5.0 %"), "12 pairs of x 70; +5.0 %");
  EXPECT_EQ(with_factors("nothing"), "nothing");
  EXPECT_EQ(with_factors(""), "");
  EXPECT_EQ(gate::described(std::log(59.583)), "59.6 times as long");
  EXPECT_EQ(gate::described(std::log(1.5)), "50.0 % slower");
}

TEST(Brief, of_known_failures_says_when_somebody_must_look_again) {
  RunResult run = result_with_marks();
  run.scenarios.pop_back();
  const Brief brief = brief_of(run, {});
  EXPECT_THAT(brief.broke, StartsWith("nothing new; 1 known failure of 1 cause"));
  EXPECT_THAT(brief.why, HasSubstr("https://example.org/issues/1"));
  EXPECT_EQ(brief.next, "nothing until 2027-03-31, when the first mark ends");
}

TEST(Brief, of_a_gate_names_what_is_worse_and_the_winner_that_changed) {
  const Brief brief = brief_of(mixed_gate(), {});
  EXPECT_THAT(brief.broke, StartsWith("3 of 7 became slower or cost more: "));
  EXPECT_THAT(brief.broke, HasSubstr("winner_time +9.8 %"));
  EXPECT_THAT(brief.why, HasSubstr("the tuner now chooses block=128 instead of block=64"));
}

TEST(Brief, of_a_watch_has_a_command_that_a_shell_repeats) {
  WatchResult watch = mixed_watch();
  watch.command = {"python3", "a b.py", "x;touch owned", "$(id)", "it's"};
  watch.options = {"--runs", "2", "--ready-text", "is up"};
  EXPECT_EQ(brief_of(watch).command,
            "tunecheck watch --runs 2 --ready-text 'is up' -- python3 'a b.py' 'x;touch owned' "
            "'$(id)' 'it'\\''s'");
}

TEST(Brief, of_a_watch_whose_program_fails_says_how_it_ended) {
  WatchResult watch = mixed_watch();
  watch.findings.clear();
  for (WatchResult::Run& run : watch.runs) {
    run.succeeded = false;
    run.end = "exit status 5";
  }
  EXPECT_EQ(brief_of(watch).why,
            "no run of the program ended with status 0; it ended with exit status 5");
}

TEST(Brief, of_a_watch_names_the_line_of_the_program) {
  const Brief brief = brief_of(mixed_watch());
  EXPECT_THAT(brief.broke, StartsWith("WRONG sgd (train.py:9"));
  EXPECT_EQ(brief.whose, "the program's: train.py:9, kernel sgd");
  EXPECT_THAT(brief.since, StartsWith("new since the baseline, where 1 more"));
}

TEST(Brief, of_a_watch_whose_findings_are_in_the_baseline_has_nothing_to_do) {
  WatchResult watch = mixed_watch();
  for (WatchResult::Finding& finding : watch.findings)
    finding.is_new = false;
  const Brief brief = brief_of(watch);
  EXPECT_THAT(brief.since, StartsWith("nothing is new since the baseline, which has "));
  EXPECT_EQ(brief.next, "nothing");
  EXPECT_EQ(brief.command, "");
}

TEST(Brief, of_an_inconclusive_gate_blames_nobody) {
  gate::GateResult session = mixed_gate();
  session.answer = gate::Answer::inconclusive;
  EXPECT_THAT(brief_of(session, {}).whose, StartsWith("nobody's yet: "));
}

TEST(Brief, of_an_audit_names_the_survivor_and_a_quick_one_is_not_complete) {
  EXPECT_EQ(brief_of(incomplete_audit(), {}).broke,
            "planted bugs that no scenario catches: sleeper");
  EXPECT_EQ(brief_of(incomplete_audit(), {}).command, "tunecheck audit --mutant sleeper");
  AuditResult quick = complete_audit();
  quick.quick = true;
  EXPECT_EQ(brief_of(quick, {}).verdict.word, "QUICK");
  EXPECT_EQ(brief_of(quick, {}).command, "tunecheck audit");
}

TEST(Brief, of_a_history_names_the_runs_on_either_side_and_what_else_changed) {
  const Brief brief = brief_of(slower_history(), {{}, "https://example.org/tuner"});
  EXPECT_EQ(brief.broke, "sort/64 slower (+10.0 %)");
  EXPECT_THAT(brief.why, HasSubstr("the tuner was tuner 1 before, and is tuner 2"));
  EXPECT_THAT(brief.since, StartsWith("run 8 ("));
  EXPECT_EQ(brief.command, "git log 0123456789abcdef..fedcba9876543210");
  EXPECT_THAT(brief.compare, HasSubstr("/compare/0123456789abcdef...fedcba9876543210"));
}

TEST(Brief, the_verdict_about_all_is_the_worst_one_and_says_whose_it_is) {
  ReportSources sources;
  sources.runs = {mixed_result()};
  sources.runs[0].scenarios = {sources.runs[0].scenarios[3]};
  EXPECT_EQ(verdict_of(briefs_of(sources, {})).text(), "PASS: 1 of 1 scenario");
  sources.gates = {{"gate.json", mixed_gate()}};
  const std::vector<Brief> briefs = briefs_of(sources, {});
  EXPECT_EQ(verdict_of(briefs).status, 2);
  EXPECT_THAT(verdict_of(briefs).text(), StartsWith("REGRESSION: gate HEAD, commit 0123abc"));
  sources.watches = {{"watch.json", mixed_watch()}};
  EXPECT_EQ(verdict_of(briefs_of(sources, {})).status, 1);
  sources.audits = {{"audit.json", incomplete_audit()}};
  sources.histories = {{"history.json", slower_history()}};
  EXPECT_EQ(worst_of(briefs_of(sources, {})).kind, DocumentKind::watch);
}

}  // namespace
}  // namespace tunecheck::test
