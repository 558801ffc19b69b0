// What is another in a later watch than in an earlier one, and which of it is worse.
#include "result/watch_diff.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "core/exit_status.hpp"
#include "hand_made_watch.hpp"
#include "json_schema.hpp"
#include "reports/markdown/markdown.hpp"
#include "reports/markdown/watch_diff_markdown.hpp"
#include "reports/stored/watch_json.hpp"
#include "reports/terminal/watch_diff_page.hpp"

namespace tunecheck::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::vector<std::string> changes_of(const WatchDiff& diff) {
  std::vector<std::string> texts;
  for (const WatchDiff::Finding& each : diff.findings)
    texts.push_back(change_text(each) + " " + name_of(each.finding.word) + " " +
                    each.finding.kernel);
  return texts;
}

WatchResult without_word(WatchWord word) {
  WatchResult watch = mixed_watch();
  std::erase_if(watch.findings,
                [&](const WatchResult::Finding& each) { return each.word == word; });
  return watch;
}

TEST(WatchDiff, of_a_watch_with_itself_nothing_is_worse) {
  const WatchDiff diff = diff_of(mixed_watch(), mixed_watch());
  EXPECT_EQ(diff.exit_status(), status::held);
  EXPECT_THAT(changes_of(diff),
              ElementsAre("still WRONG sgd", "still AGAIN l2norm", "still, allowed COMPILED ",
                          "still, unclear WRONG noisy"));
  EXPECT_EQ(verdict_text(diff), "NOT WORSE: 0 findings fixed, 4 still there");
}

TEST(WatchDiff, a_new_finding_is_worse_and_one_that_is_gone_is_fixed) {
  const WatchDiff worse = diff_of(without_word(WatchWord::wrong), mixed_watch());
  EXPECT_EQ(worse.exit_status(), status::failed);
  EXPECT_EQ(changes_of(worse).front(), "new WRONG sgd");
  EXPECT_EQ(verdict_text(worse), "WORSE: 1 finding new; 0 findings fixed, 2 still there");
  const WatchDiff better = diff_of(mixed_watch(), without_word(WatchWord::wrong));
  EXPECT_EQ(better.exit_status(), status::held);
  EXPECT_THAT(changes_of(better), ElementsAre("still AGAIN l2norm", "still, allowed COMPILED ",
                                              "fixed WRONG sgd", "fixed, unclear WRONG noisy"));
}

TEST(WatchDiff, what_is_allowed_or_unclear_is_new_and_not_worse) {
  const WatchDiff diff = diff_of(without_word(WatchWord::compiled), mixed_watch());
  EXPECT_EQ(changes_of(diff).front(), "new, allowed COMPILED ");
  EXPECT_EQ(diff.exit_status(), status::held);
  WatchResult now = mixed_watch();
  now.findings.resize(1);
  now.findings[0].is_certain = false;
  EXPECT_EQ(diff_of(without_word(WatchWord::wrong), now).exit_status(), status::held);
}

TEST(WatchDiff, what_was_unclear_and_is_certain_now_is_worse) {
  WatchResult before = mixed_watch();
  before.findings[0].is_certain = false;
  const WatchDiff diff = diff_of(before, mixed_watch());
  EXPECT_EQ(changes_of(diff).front(), "new, was unclear WRONG sgd");
  EXPECT_EQ(diff.exit_status(), status::failed);
  EXPECT_FALSE(is_known(before, mixed_watch(), mixed_watch().findings[0]));
}

TEST(WatchDiff, lines_move_and_versions_lie_in_folders_of_their_own) {
  WatchResult before = mixed_watch();
  before.findings[0].place = {"/old/train.py", 7, "step"};
  EXPECT_EQ(diff_of(before, mixed_watch()).exit_status(), status::held);
  before.findings[0].place.file = "/old/other.py";
  EXPECT_EQ(diff_of(before, mixed_watch()).exit_status(), status::failed);
}

TEST(WatchDiff, a_file_of_the_same_name_stands_for_no_second_one) {
  WatchResult now = mixed_watch();
  now.findings.push_back(now.findings[0]);
  now.findings.back().place.file = "other/train.py";
  const WatchDiff diff = diff_of(mixed_watch(), now);
  EXPECT_EQ(diff.exit_status(), status::failed);
  EXPECT_EQ(diff.findings.front().finding.place.file, "other/train.py");
}

TEST(WatchDiff, a_watch_that_saw_nothing_is_no_measure) {
  WatchResult blind;
  EXPECT_EQ(diff_of(blind, without_word(WatchWord::wrong)).exit_status(), status::failed)
      << "what is found is found";
  WatchResult clean = mixed_watch();
  clean.findings.clear();
  EXPECT_EQ(diff_of(blind, clean).exit_status(), status::untrusted);
  EXPECT_EQ(diff_of(clean, blind).exit_status(), status::untrusted);
  clean.is_interrupted = true;
  EXPECT_EQ(diff_of(mixed_watch(), clean).exit_status(), status::untrusted);
}

WatchResult changed_watch() {
  WatchResult now = mixed_watch();
  now.runs[0].compiles = 5;
  now.runs[0].wall_ns = 3'000'000'000;
  now.runs.pop_back();
  for (WatchResult::Kernel& kernel : now.kernels) {
    kernel.launches.pop_back();
    kernel.trials.pop_back();
    kernel.tuning_ns.pop_back();
  }
  now.kernels[1].settled[0].codes = {"block=16", "block=4"};
  now.kernels[1].trials[0] = 30;
  now.kernels.push_back({"fresh", 1, {1, 1}, {0, 0}, {0, 0}, {}, 0});
  return now;
}

TEST(WatchDiff, kernels_and_runs_say_what_is_another) {
  const WatchDiff diff = diff_of(mixed_watch(), changed_watch());
  std::vector<std::string> kernels;
  for (const WatchDiff::Kernel& kernel : diff.kernels)
    kernels.push_back(kernel.name);
  EXPECT_THAT(kernels, ElementsAre("fresh", "scale", "sgd"));
  const WatchDiff::Kernel& sgd = diff.kernels.back();
  ASSERT_EQ(sgd.winners.size(), 1U);
  EXPECT_EQ(sgd.winners[0].run, "cold");
  EXPECT_EQ(sgd.winners[0].before, "block=4");
  EXPECT_EQ(sgd.winners[0].now, "block=16");
  EXPECT_EQ(diff.exit_status(), status::held) << "counts are no verdict";
}

TEST(WatchDiff, of_warm_starts_the_most_of_each_number_counts) {
  WatchResult now = mixed_watch();
  now.kernels[1].launches = {12, 950, 3};
  now.kernels[1].trials = {9, 2, 7};
  const WatchDiff diff = diff_of(mixed_watch(), now);
  ASSERT_EQ(diff.kernels.size(), 1U);
  EXPECT_EQ(diff.kernels[0].warm.before->launches, 900);
  EXPECT_EQ(diff.kernels[0].warm.now->launches, 950);
  EXPECT_EQ(diff.kernels[0].warm.now->trials, 7);
}

TEST(WatchDiff, a_page_of_it_fits_a_terminal) {
  WatchDiff diff = diff_of(mixed_watch(), changed_watch());
  diff.before = "old/watch.json";
  diff.now = "new/watch.json";
  const std::string page = watch_diff_page(diff, {});
  EXPECT_THAT(page, HasSubstr("cold        compiles 3 -> 5, launches 14, trials 9, "
                              "2.00 s -> 3.00 s\n"));
  EXPECT_THAT(page, HasSubstr("warm 2      compiles 0 -> none, launches 905 -> none"));
  EXPECT_THAT(page, HasSubstr("kernel      sgd\n            cold: launches 12, trials 9 -> 30, "
                              "tuning 0.24 s\n"));
  EXPECT_THAT(page, HasSubstr("winner, cold, f32[4096] f32[4096]: block=4 -> block=16\n"));
  EXPECT_THAT(page, HasSubstr("\nNOT WORSE: 0 findings fixed, 4 still there\n"));
  EXPECT_THAT(watch_diff_part(diff, {}), Not(HasSubstr("still")));
}

TEST(WatchDiff, is_made_into_markdown_and_json) {
  WatchDiff diff = diff_of(without_word(WatchWord::wrong), mixed_watch());
  diff.before = "a|b.json";
  const std::string page = watch_diff_markdown(diff, longest_comment);
  EXPECT_THAT(page, HasSubstr(":x: **WORSE: 1 finding new"));
  EXPECT_THAT(page, HasSubstr("| new | WRONG | <code>sgd</code> | <code>train.py:9</code> |"));
  EXPECT_THAT(page, HasSubstr("| cold | 14 | 9 | 3 | 2.00 s |"));
  EXPECT_LE(watch_diff_markdown(diff, 1000).size(), 1000U);
  const auto json = nlohmann::json::parse(to_json(diff));
  EXPECT_THAT(violations(json, "watch-diff.schema.json"), IsEmpty());
  EXPECT_EQ(json["exit_status"], 1);
  EXPECT_EQ(json["findings"][0]["change"], "new");
}

}  // namespace
}  // namespace tunecheck::test
