#include "reports/summary/verdict_history.hpp"

#include <gmock/gmock.h>

#include "gate/history/changes.hpp"
#include "hand_made_results.hpp"
#include "reports/summary/brief.hpp"
#include "reports/terminal/history_pages.hpp"

namespace tunecheck::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

using Verdicts = std::vector<std::pair<std::string, std::string>>;

// Runs from 1 on, one letter for each: F failed, anything else held.
void add_verdicts(const Verdicts& verdicts, const history::Fingerprint& tuner,
                  HistoryChanges& history) {
  const auto fingerprint = static_cast<std::int64_t>(history.contents.fingerprints.size());
  history.contents.fingerprints[fingerprint] = tuner;
  for (const auto& [scenario, runs] : verdicts) {
    history::Series series;
    series.fingerprint = fingerprint;
    series.benchmark = std::string(verdict_prefix) + scenario;
    series.kind = history::Kind::count;
    series.unit = verdict_unit;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const auto id = static_cast<std::int64_t>(i + 1);
      if (history.contents.runs.size() <= i) {
        history.contents.runs.emplace_back().id = id;
        history.contents.runs.back().started = "2024-05-01T00:00:00Z";
        history.contents.runs.back().revision = std::string(12, static_cast<char>('a' + i));
      }
      series.points.push_back({id, series.benchmark, series.kind, series.unit, fingerprint,
                               runs[i] == 'F' ? 1.0 : 0.0});
    }
    history.series.push_back(series);
  }
  history.changes = history::find_changes(history.series, {});
}

HistoryChanges history_of(const Verdicts& verdicts) {
  HistoryChanges history;
  add_verdicts(verdicts, {{"adapter", "reference"}, {"backend", "cpu"}}, history);
  return history;
}

// Both tuners are asked the same: the other one failed from the beginning.
HistoryChanges history_of_two_tuners() {
  HistoryChanges history;
  add_verdicts({{"restore.scenario_10", "FFFF"}}, {{"adapter", "other"}, {"backend", "cpu"}},
               history);
  add_verdicts({{"restore.scenario_10", "..FF"}}, {{"adapter", "reference"}, {"backend", "cpu"}},
               history);
  return history;
}

std::string since_of(const RunResult& run, const HistoryChanges& history) {
  ReportSources sources;
  sources.runs = {run};
  sources.histories = {{"history.json", history}};
  return briefs_of(sources, {}).front().since;
}

TEST(VerdictHistory, keeps_the_verdicts_of_a_run_as_counts) {
  RunResult run = mixed_result();
  run.environment["commit"] = "0123abc";
  const auto stored = verdicts_of(run, "digest");
  ASSERT_TRUE(stored) << stored.error().text();
  EXPECT_EQ(stored->suite, "scenarios of reference on cpu");
  EXPECT_EQ(stored->revision, "0123abc");
  ASSERT_EQ(stored->sets.size(), 2U) << "an error is no verdict, nor is what cannot be tested";
  EXPECT_EQ(stored->sets[0].benchmark, "scenario/restore.axpy");
  EXPECT_THAT(stored->sets[0].processes, ElementsAre(1));
  EXPECT_THAT(stored->sets[1].processes, ElementsAre(0));
  EXPECT_TRUE(history::check(*stored));
  EXPECT_THAT(verdicts_of(result_with_marks(), "")->sets[0].processes, ElementsAre(1));
}

TEST(VerdictHistory, refuses_a_run_that_was_ended_and_one_without_a_verdict) {
  RunResult run = mixed_result();
  run.pending = {"restore.later"};
  ASSERT_FALSE(verdicts_of(run, ""));
  EXPECT_THAT(verdicts_of(run, "").error().message, HasSubstr("the run was ended"));
  EXPECT_FALSE(verdicts_of(RunResult{}, ""));
}

TEST(VerdictHistory, tells_what_is_flaky_from_what_broke_and_what_was_mended) {
  const HistoryChanges history = history_of({{"always", "FFFFFF"},
                                             {"broken", "..FFFF"},
                                             {"flaky", ".F..F."},
                                             {"held", "......"},
                                             {"mended", "FFF..."}});
  const std::vector<VerdictSeries> all = verdict_series_of(history.series, history.contents);
  std::vector<std::string> texts;
  for (const VerdictSeries& one : all)
    texts.push_back(one.scenario + " " + verdict_text(one, history.contents));
  EXPECT_THAT(texts, ElementsAre("flaky flaky: fails in 2 of 6 runs, 33 %",
                                 "always fails in 6 runs, since the first",
                                 "broken fails since run 3 (2024-05-01, cccccccccc)",
                                 "mended no longer fails since run 4 (2024-05-01, dddddddddd)"));
}

TEST(VerdictHistory, of_a_history_of_verdicts_says_since_when_and_between_which_commits) {
  const HistoryChanges history = history_of({{"broken", "..FF"}, {"held", "...."}});
  EXPECT_EQ(verdict_of(history).text(), "FAILING: 1 of 2 scenarios fails, in 4 runs");
  const Brief brief = brief_of(history, {{}, "https://example.org/tuner"});
  EXPECT_THAT(brief.broke, HasSubstr("broken fails since run 3"));
  EXPECT_EQ(brief.whose,
            "the tuner's: reference on cpu; the commits between run 2 (2024-05-01, bbbbbbbbbb) and "
            "run 3 (2024-05-01, cccccccccc)");
  EXPECT_EQ(brief.next, "run the scenario at both commits");
  EXPECT_EQ(brief.command, "tunecheck run broken --adapter reference");
  EXPECT_EQ(brief.compare, "https://example.org/tuner/compare/bbbbbbbbbbbb...cccccccccccc");
  EXPECT_EQ(verdict_of(history_of({{"held", "...."}})).text(),
            "STEADY: no verdict of 1 scenario changed, in 4 runs");
}

TEST(VerdictHistory, counts_what_is_flaky_apart_and_what_was_mended_is_no_steadiness) {
  EXPECT_EQ(verdict_of(history_of({{"a", "FF"}, {"b", "FF"}, {"flaky", "F.F"}})).text(),
            "FAILING: 2 of 3 scenarios fail, and 1 is flaky, in 3 runs");
  EXPECT_EQ(verdict_of(history_of({{"a", "F.F"}, {"b", "..."}})).text(),
            "FLAKY: 1 of 2 scenarios is flaky, in 3 runs");
  const HistoryChanges mended = history_of({{"a", "FF."}, {"b", "..."}});
  EXPECT_EQ(verdict_of(mended).text(),
            "MENDED: 1 of 2 scenarios failed and no longer fails, in 3 runs");
  EXPECT_EQ(verdict_of(mended).standing, Standing::good);
  const Brief brief = brief_of(mended, {});
  EXPECT_THAT(brief.broke, HasSubstr("nothing any more; a no longer fails since run 3"));
  EXPECT_EQ(brief.next, "nothing");
  EXPECT_EQ(brief.command, "");
  EXPECT_EQ(verdict_of(history_of_two_tuners()).text(),
            "FAILING: 2 of 2 scenarios of 2 tuners fail, in 4 runs");
}

TEST(VerdictHistory, repeats_a_scenario_with_the_tuner_that_it_is_of) {
  HistoryChanges history;
  add_verdicts({{"it's broken", "FF"}},
               {{"adapter", "mutant:no restore"}, {"backend", "cuda"}, {"device", "H200"}},
               history);
  const Brief brief = brief_of(history, {});
  EXPECT_EQ(brief.command,
            "tunecheck run 'it'\\''s broken' --adapter 'mutant:no restore' --backend cuda");
  EXPECT_EQ(brief.next, "run the scenario, and look at its evidence") << "there is one commit";
  EXPECT_THAT(brief.whose, HasSubstr("mutant:no restore on cuda, H200"));
  HistoryChanges unnamed = history_of({{"broken", ".F"}});
  for (history::StoredRun& run : unnamed.contents.runs)
    run.revision = "";
  EXPECT_EQ(brief_of(unnamed, {}).next,
            "run the scenario with what there was before run 2, and with what there is since then");
  EXPECT_THAT(brief_of(unnamed, {}).whose, HasSubstr("; the change between run 1 "));
}

TEST(VerdictHistory, of_several_tuners_names_each) {
  const HistoryChanges history = history_of_two_tuners();
  const std::string page = history_changes(history.contents, history.series, history.changes, {});
  EXPECT_THAT(page, HasSubstr("restore.scenario_10 of other on cpu\n    fails in 4 runs"));
  EXPECT_THAT(page, HasSubstr("restore.scenario_10 of reference on cpu\n    fails since run 3"));
  EXPECT_THAT(brief_of(history, {}).broke, HasSubstr("restore.scenario_10 of other on cpu fails"));
  const HistoryChanges one = history_of({{"broken", ".F"}});
  EXPECT_THAT(history_changes(one.contents, one.series, one.changes, {}),
              HasSubstr("broken\n    fails since"));
}

TEST(VerdictHistory, its_last_line_counts_verdicts_and_speaks_of_times_only_where_there_are_any) {
  HistoryChanges history = history_of({{"mended", "FF."}, {"held", "..."}});
  const auto page = [&] {
    return history_changes(history.contents, history.series, history.changes, {});
  };
  EXPECT_THAT(page(), HasSubstr("The verdict changed in 1 of 2 scenarios, in 3 runs.\n"));
  EXPECT_THAT(page(), Not(HasSubstr("0 changes")));
  history.series.emplace_back().benchmark = "sort/64";
  EXPECT_THAT(page(), HasSubstr("0 changes in 3 runs. If times were steady"));
}

TEST(VerdictHistory, is_listed_by_conditions_and_the_last_verdict) {
  HistoryChanges history = history_of_two_tuners();
  for (const history::Series& series : history.series)
    history.contents.points.insert(history.contents.points.end(), series.points.begin(),
                                   series.points.end());
  const std::string page = history_list(history.contents);
  EXPECT_THAT(page, HasSubstr("runs  conditions  in the last run\n"));
  EXPECT_THAT(page, testing::ContainsRegex("scenario/restore.scenario_10 +8 +2  failed\n"));
}

TEST(VerdictHistory, dates_a_failure_of_a_run_in_the_same_report) {
  EXPECT_THAT(since_of(run_with_thirty_failures(), history_of({{"restore.scenario_10", "..FF"}})),
              HasSubstr("in the history, restore.scenario_10 fails since run 3"));
}

TEST(VerdictHistory, dates_a_failure_by_the_runs_of_its_own_tuner_alone) {
  RunResult run = run_with_thirty_failures();
  const HistoryChanges history = history_of_two_tuners();
  EXPECT_THAT(since_of(run, history),
              HasSubstr("in the history, restore.scenario_10 fails since run 3"));
  run.environment["device"] = "another";
  EXPECT_THAT(since_of(run, history),
              HasSubstr("; the history has no verdict about restore.scenario_10 of reference on "
                        "cpu, another"));
  run.environment.erase("device");
  run.adapter = "third";
  EXPECT_THAT(since_of(run, history), HasSubstr("no verdict about restore.scenario_10 of third"));
  EXPECT_THAT(since_of(run_with_thirty_failures(), history_of({{"restore.scenario_10", ".."}})),
              HasSubstr("in the history, restore.scenario_10 held in 2 runs"));
}

TEST(VerdictHistory, of_another_tuner_does_not_make_a_passing_run_fail) {
  ReportSources sources;
  sources.runs = {mixed_result()};
  sources.runs[0].scenarios = {sources.runs[0].scenarios[3]};
  sources.histories = {{"history.json", history_of_two_tuners()}};
  const std::vector<Brief> briefs = briefs_of(sources, {});
  EXPECT_EQ(verdict_of(briefs).word, "PASS");
  EXPECT_EQ(worst_of(briefs).kind, DocumentKind::run);
  EXPECT_EQ(briefs.back().verdict.word, "FAILING") << "it still says so of itself";
  sources.runs.clear();
  EXPECT_EQ(verdict_of(briefs_of(sources, {})).word, "FAILING");
}

}  // namespace
}  // namespace tunecheck::test
