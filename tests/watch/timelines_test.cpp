// What a result keeps of launches in the order of time.
#include "watch/timelines.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tunecheck::watch {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Kind = WatchResult::LaunchKind;

constexpr std::int64_t began = 1'000'000;

CodeLaunches launched(const std::string& name, std::int64_t launches, std::int64_t from,
                      std::int64_t to, std::int64_t runs = 1) {
  CodeLaunches made;
  made.code = name;
  made.launches = launches;
  made.runs = runs;
  made.measured = launches;
  made.first_ns = began + from;
  made.last_ns = began + to;
  made.first_run_ns = runs == 1 ? made.last_ns : made.first_ns + 12;
  made.last_run_ns = runs == 1 ? made.first_ns : made.last_ns;
  return made;
}

BurstEvent burst(std::uint64_t number, std::vector<CodeLaunches> codes, const std::string& winner,
                 std::int64_t after_trials = 1) {
  BurstEvent event;
  event.pid = 7;
  event.number = number;
  event.kernel = "k";
  event.shapes = "s";
  event.place = "train.py:9 (step)";
  event.first_ns = codes.front().first_ns;
  event.last_ns = codes.back().last_ns;
  event.codes = std::move(codes);
  event.winner = winner;
  event.after_trials = after_trials;
  return event;
}

ProgramRun run_of(std::vector<BurstEvent> bursts, std::int64_t only_counted = 0) {
  ProgramRun run;
  run.began_ns = began;
  run.told.processes.push_back({7, 1, "python", "", "3", 0});
  TotalEvent total;
  total.pid = 7;
  total.kernel = "k";
  total.shapes = "s";
  for (const BurstEvent& each : bursts) {
    total.last_code = each.winner;
    for (const CodeLaunches& some : each.codes) {
      const auto known =
          std::find_if(total.codes.begin(), total.codes.end(),
                       [&](const CodeLaunches& other) { return other.code == some.code; });
      if (known == total.codes.end()) {
        total.codes.push_back(some);
      } else {
        known->launches += some.launches;
        known->last_ns = some.last_ns;
      }
    }
  }
  if (only_counted > 0) {
    total.codes.back().launches += only_counted;
    total.codes.back().last_ns += 1000;
  }
  run.told.totals.push_back(total);
  run.told.bursts = std::move(bursts);
  return run;
}

// "trial a 10-20 x3", in order.
std::vector<std::string> spans_of(const WatchResult::Timeline& timeline) {
  std::vector<std::string> texts;
  for (const WatchResult::Call& call : timeline.calls)
    for (const WatchResult::Span& span : call.spans) {
      const char* const kinds[] = {"trial", "winner", "launch", "counted"};
      texts.push_back(std::string(kinds[static_cast<int>(span.kind)]) + " " +
                      timeline.codes[static_cast<std::size_t>(span.code)] + " " +
                      std::to_string(span.from_ns) + "-" + std::to_string(span.to_ns) + " x" +
                      std::to_string(span.launches));
    }
  return texts;
}

WatchResult result_of(const std::vector<ProgramRun>& runs, TimelineLimits limits = {}) {
  WatchResult result;
  add_timelines(runs, false, limits, result);
  return result;
}

const std::vector<CodeLaunches> all_tried = {launched("a", 4, 10, 90, 2), launched("b", 3, 30, 40),
                                             launched("c", 3, 50, 60)};

TEST(Timelines, the_winners_launches_before_the_others_are_trials_and_the_rest_is_not) {
  const WatchResult result = result_of({run_of({burst(1, all_tried, "a")})});
  ASSERT_EQ(result.timelines.size(), 1U);
  const WatchResult::Timeline& timeline = result.timelines[0];
  EXPECT_THAT(spans_of(timeline), ElementsAre("trial a 10-22 x3", "trial b 30-40 x3",
                                              "trial c 50-60 x3", "winner a 90-90 x1"));
  EXPECT_EQ(timeline.place.line, 9);
  EXPECT_EQ(timeline.calls[0].rank, "3");
  EXPECT_EQ(timeline.spans_left_out, 0);
}

TEST(Timelines, launches_that_were_only_counted_follow_those_that_were_looked_at) {
  std::vector<CodeLaunches> codes = all_tried;
  std::swap(codes[0], codes[2]);  // the last one has the launches that were counted
  const WatchResult result = result_of({run_of({burst(1, codes, "a")}, 100)});
  ASSERT_EQ(result.timelines.size(), 1U);
  EXPECT_EQ(spans_of(result.timelines[0]).back(), "counted a 90-1090 x100");
}

TEST(Timelines, steps_in_one_code_are_one_call_that_says_how_many) {
  std::vector<BurstEvent> bursts = {burst(1, all_tried, "a")};
  for (std::uint64_t step = 0; step < 50; ++step) {
    const auto at = static_cast<std::int64_t>(100 + 10 * step);
    bursts.push_back(burst(step + 2, {launched("a", 1, at, at + 5)}, "a"));
  }
  const WatchResult result = result_of({run_of(bursts)});
  ASSERT_EQ(result.timelines[0].calls.size(), 2U);
  EXPECT_EQ(result.timelines[0].calls[1].repeated, 50);
  EXPECT_EQ(spans_of(result.timelines[0]).back(), "launch a 100-595 x50");
}

TEST(Timelines, a_stream_has_its_own_calls) {
  BurstEvent other = burst(2, {launched("a", 1, 200, 210)}, "a");
  other.stream = 1;
  BurstEvent third = burst(3, {launched("a", 1, 205, 215)}, "a");
  const WatchResult result = result_of({run_of({burst(1, all_tried, "a"), other, third})});
  std::vector<std::int64_t> streams;
  for (const WatchResult::Call& call : result.timelines[0].calls)
    streams.push_back(call.stream);
  EXPECT_THAT(streams, ElementsAre(0, 0, 1));
}

TEST(Timelines, of_a_large_one_the_winner_stays_longest_and_what_is_left_out_is_counted) {
  const WatchResult result =
      result_of({run_of({burst(1, all_tried, "a"), burst(2, {launched("a", 1, 200, 210)}, "a")})},
                {1, 2, 100});
  EXPECT_THAT(spans_of(result.timelines[0]), ElementsAre("trial a 10-22 x3", "winner a 90-90 x1"));
  EXPECT_EQ(result.timelines[0].spans_left_out, 3);
  EXPECT_THAT(result.timelines[0].codes, ElementsAre("a"));
}

TEST(Timelines, kernels_of_which_something_was_found_come_first_and_others_are_counted) {
  std::vector<BurstEvent> bursts;
  ProgramRun run;
  for (const char* const name : {"aa", "k", "zz"}) {
    BurstEvent event = burst(bursts.size() + 1, all_tried, "a");
    event.kernel = name;
    bursts.push_back(event);
    ProgramRun one = run_of({event});
    one.told.totals[0].kernel = name;
    run.told.totals.push_back(one.told.totals[0]);
  }
  run.began_ns = began;
  run.told.bursts = bursts;
  WatchResult result;
  result.findings.emplace_back().kernel = "zz";
  result.findings.back().shapes = "s";
  add_timelines({run}, false, {2, 100, 100}, result);
  ASSERT_EQ(result.timelines.size(), 2U);
  EXPECT_EQ(result.timelines[0].kernel, "zz");
  EXPECT_EQ(result.timelines_left_out, 1);
}

TEST(Timelines, a_kernel_with_one_code_has_none) {
  EXPECT_THAT(result_of({run_of({burst(1, {launched("a", 5, 0, 9)}, "a")})}).timelines, IsEmpty());
}

TEST(Ends, say_what_each_run_settled_on_and_how_long_it_tuned) {
  const std::vector<ProgramRun> runs = {run_of({burst(1, all_tried, "a")}),
                                        run_of({burst(1, {launched("b", 1, 0, 0)}, "b")})};
  std::vector<WatchResult::Kernel> kernels(1);
  kernels[0].name = "k";
  add_ends(runs, false, kernels);
  EXPECT_THAT(kernels[0].tuning_ns, ElementsAre(50, 0));
  ASSERT_EQ(kernels[0].settled.size(), 1U);
  EXPECT_THAT(kernels[0].settled[0].codes, ElementsAre("a", "b"));
}

}  // namespace
}  // namespace tunecheck::watch
