#include "reports/summary/verdict_history.hpp"

#include <gmock/gmock.h>

#include "gate/history/changes.hpp"
#include "hand_made_results.hpp"
#include "reports/summary/brief.hpp"

namespace tunecheck::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Runs from 1 on, one letter for each: F failed, anything else held.
HistoryChanges history_of(const std::vector<std::pair<std::string, std::string>>& verdicts) {
  HistoryChanges history;
  for (const auto& [scenario, runs] : verdicts) {
    history::Series series;
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
      series.points.push_back(
          {id, series.benchmark, series.kind, series.unit, 0, runs[i] == 'F' ? 1.0 : 0.0});
    }
    history.series.push_back(series);
  }
  return history;
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
  const std::vector<VerdictSeries> all = verdict_series_of(history.series);
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
  EXPECT_EQ(verdict_of(history).text(),
            "FAILING: 1 of 2 scenarios fail or are flaky (0), in 4 runs");
  const Brief brief = brief_of(history, {{}, "https://example.org/tuner"});
  EXPECT_THAT(brief.broke, HasSubstr("broken fails since run 3"));
  EXPECT_EQ(
      brief.whose,
      "the commits between run 2 (2024-05-01, bbbbbbbbbb) and run 3 (2024-05-01, cccccccccc)");
  EXPECT_EQ(brief.compare, "https://example.org/tuner/compare/bbbbbbbbbbbb...cccccccccccc");
  EXPECT_EQ(verdict_of(history_of({{"held", "...."}})).word, "STEADY");
}

TEST(VerdictHistory, dates_a_failure_of_a_run_in_the_same_report) {
  ReportSources sources;
  sources.runs = {run_with_thirty_failures()};
  sources.histories = {{"history.json", history_of({{"restore.scenario_10", "..FF"}})}};
  EXPECT_THAT(briefs_of(sources, {}).front().since,
              HasSubstr("in the history, restore.scenario_10 fails since run 3"));
}

}  // namespace
}  // namespace tunecheck::test
