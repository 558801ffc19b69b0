// Which launches belong together, and what is said of them; on the memory of this process, by
// kernels that are functions.
#include "observe/watch/bursts.hpp"

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "observed_bursts.hpp"

namespace tunecheck::watch {
namespace {

using testing::HasSubstr;

TEST(Bursts, a_launch_in_one_code_is_not_asked) {
  Observed observed;
  observed.launch("a", observed.p, observed.g);
  const BurstEvent& burst = observed.only();
  EXPECT_EQ(burst.replay, Replay::none);
  EXPECT_EQ(burst.winner, "a");
  EXPECT_EQ(burst.place, "program.cpp:7 (main)");
  EXPECT_EQ(burst.launches(), 1);
}

TEST(Bursts, trials_that_nobody_puts_back_change_the_result) {
  Observed observed;
  for (const char* const code : {"a", "b", "c", "b"})
    observed.launch(code, observed.p, observed.g);
  const BurstEvent& burst = observed.only();
  EXPECT_EQ(burst.replay, Replay::differs);
  EXPECT_EQ(burst.winner, "b");
  EXPECT_EQ(burst.codes.size(), 3U);
  EXPECT_EQ(burst.after_trials, 1);
  ASSERT_EQ(burst.arguments.size(), 2U);
  EXPECT_EQ(burst.arguments[0].differing, count);  // one byte of each number
  EXPECT_EQ(burst.arguments[0].spoilt, 2);
  EXPECT_TRUE(burst.arguments[0].is_read);
  EXPECT_EQ(burst.arguments[1].differing, 0U);
  EXPECT_EQ(burst.arguments[1].spoilt, 0);
}

TEST(Bursts, trials_that_are_put_back_change_nothing) {
  Observed observed;
  const Values kept = observed.p;
  for (const char* const code : {"a", "b", "c"}) {
    observed.launch(code, observed.p, observed.g);
    std::copy(kept.begin(), kept.end(), observed.p.begin());
  }
  observed.launch("b", observed.p, observed.g);
  const BurstEvent& burst = observed.only();
  EXPECT_EQ(burst.replay, Replay::same);
  EXPECT_EQ(burst.arguments.at(0).spoilt, 0);
}

// The steps that follow work on what the ones before have left, and that is right.
TEST(Bursts, later_steps_are_no_reason_to_blame_the_first) {
  Observed observed;
  const Values kept = observed.p;
  for (const char* const code : {"a", "b"}) {
    observed.launch(code, observed.p, observed.g);
    std::copy(kept.begin(), kept.end(), observed.p.begin());
  }
  for (int step = 0; step < 5; ++step)
    observed.launch("a", observed.p, observed.g);
  EXPECT_EQ(observed.only().replay, Replay::same);
}

TEST(Bursts, what_is_put_back_at_the_end_alone_was_spoilt_for_the_trials) {
  Observed observed;
  const Values kept = observed.p;
  for (const char* const code : {"a", "b", "c"})
    observed.launch(code, observed.p, observed.g);
  std::copy(kept.begin(), kept.end(), observed.p.begin());
  observed.launch("a", observed.p, observed.g);
  const BurstEvent& burst = observed.only();
  EXPECT_EQ(burst.replay, Replay::same);
  EXPECT_EQ(burst.arguments.at(0).spoilt, 2);
  EXPECT_TRUE(burst.arguments.at(0).is_read);
}

TEST(Bursts, a_pure_output_is_no_spoilt_input) {
  Observed observed;
  for (const char* const code : {"a", "b", "a"})
    observed.launch(code, observed.p, observed.g, copy);
  const BurstEvent& burst = observed.only();
  EXPECT_EQ(burst.replay, Replay::same);
  EXPECT_GT(burst.arguments.at(0).spoilt, 0);
  EXPECT_FALSE(burst.arguments.at(0).is_read);
}

// The program gives the same memory a new content: that is another call.
TEST(Bursts, a_new_content_begins_a_new_burst) {
  Observed observed;
  observed.launch("a", observed.p, observed.g);
  std::fill(observed.p.begin(), observed.p.end(), 7);
  observed.launch("b", observed.p, observed.g);
  observed.bursts.finish();
  EXPECT_EQ(observed.told.bursts.size(), 2U);
  for (const BurstEvent& burst : observed.told.bursts)
    EXPECT_EQ(burst.replay, Replay::none);
}

TEST(Bursts, other_numbers_are_another_call) {
  Observed observed;
  for (const char* const scalars : {"1", "2"}) {
    LaunchSeen launch = observed.seen("a", observed.p, observed.g, add);
    launch.scalars = scalars;
    observed.bursts.begins(launch);
    observed.bursts.ends(true);
  }
  observed.bursts.finish();
  EXPECT_EQ(observed.told.bursts.size(), 2U);
}

TEST(Bursts, trials_on_a_copy_are_known_by_the_call_that_follows) {
  Observed observed;
  Values copied = observed.p;
  for (const char* const code : {"a", "b", "a"})
    observed.launch(code, copied, observed.g);
  observed.launch("a", observed.p, observed.g);
  observed.bursts.finish();
  ASSERT_EQ(observed.told.bursts.size(), 2U);
  const BurstEvent& trials =
      observed.told.bursts[0].codes.size() > 1 ? observed.told.bursts[0] : observed.told.bursts[1];
  EXPECT_EQ(trials.replay, Replay::differs);
  EXPECT_TRUE(trials.was_on_copies);
}

TEST(Bursts, a_call_on_other_content_says_nothing_of_copies) {
  Observed observed;
  Values other(count, 55);
  for (const char* const code : {"a", "b", "a"})
    observed.launch(code, observed.p, observed.g);
  observed.launch("a", other, observed.g);
  observed.bursts.finish();
  for (const BurstEvent& burst : observed.told.bursts)
    EXPECT_FALSE(burst.was_on_copies);
}

TEST(Bursts, a_kernel_that_computes_something_else_each_time_is_not_judged) {
  Observed observed;
  std::uint64_t next = 1;
  const Kernel unsteady = [&](std::uint64_t* p, const std::uint64_t*, std::size_t) {
    p[0] = next++;
  };
  for (const char* const code : {"a", "b", "a"})
    observed.launch(code, observed.p, observed.g, unsteady);
  EXPECT_EQ(observed.only().replay, Replay::not_steady);
}

TEST(Bursts, a_config_that_fails_is_no_code) {
  Observed observed;
  observed.launch("a", observed.p, observed.g);
  observed.bursts.begins(observed.seen("b", observed.p, observed.g, add));
  observed.bursts.ends(false);
  observed.launch("a", observed.p, observed.g);
  const BurstEvent& burst = observed.only();
  EXPECT_EQ(burst.codes.size(), 1U);
  EXPECT_EQ(burst.winner, "a");
}

TEST(Bursts, code_that_is_unloaded_is_launched_again_before) {
  Observed observed;
  for (const char* const code : {"a", "b"})
    observed.launch(code, observed.p, observed.g);
  observed.bursts.code_goes(&observed.owner);
  const BurstEvent& burst = observed.only();
  EXPECT_EQ(burst.replay, Replay::differs);
}

TEST(Bursts, what_cannot_be_launched_again_says_why) {
  Observed observed;
  for (const char* const code : {"a", "b"}) {
    LaunchSeen launch = observed.seen(code, observed.p, observed.g, add);
    launch.relaunch = nullptr;
    launch.why_no_replay = "a tensor map is among its arguments";
    observed.bursts.begins(launch);
    observed.bursts.ends(true);
  }
  const BurstEvent& burst = observed.only();
  EXPECT_EQ(burst.replay, Replay::none);
  EXPECT_EQ(burst.why_not, "a tensor map is among its arguments");
}

TEST(Bursts, more_than_is_to_be_looked_at_is_counted) {
  Observed observed({.bytes = 8});
  for (const char* const code : {"a", "b", "a"})
    observed.launch(code, observed.p, observed.g);
  const BurstEvent& burst = observed.only();
  EXPECT_EQ(burst.launches(), 3);
  EXPECT_THAT(burst.why_not, HasSubstr("256 bytes"));
  EXPECT_EQ(burst.inputs, "");
}

// The process may be killed at any time.
TEST(Bursts, a_burst_of_several_codes_is_told_before_it_is_over) {
  Observed observed;
  for (const char* const code : {"a", "b", "a"})
    observed.launch(code, observed.p, observed.g);
  ASSERT_EQ(observed.told.bursts.size(), 1U);
  EXPECT_FALSE(observed.told.bursts.front().is_over);
  EXPECT_EQ(observed.told.bursts.front().replay, Replay::differs);
  EXPECT_EQ(observed.told.totals.back().codes.at(0).launches, 2);
  EXPECT_TRUE(observed.only().is_over);
}

TEST(Bursts, steps_without_a_clock_and_then_trials_are_two_calls) {
  Observed observed;
  for (int step = 0; step < 3; ++step) {
    observed.bursts.begins(observed.seen("a", observed.p, observed.g, add));
    add(observed.p.data(), observed.g.data(), count);
    observed.bursts.ends(true);
  }
  const Values kept = observed.p;
  for (const char* const code : {"a", "b"}) {
    observed.launch(code, observed.p, observed.g);
    std::copy(kept.begin(), kept.end(), observed.p.begin());
  }
  observed.launch("a", observed.p, observed.g);
  observed.bursts.finish();
  ASSERT_EQ(observed.told.bursts.size(), 2U);
  for (const BurstEvent& burst : observed.told.bursts)
    EXPECT_NE(burst.replay, Replay::differs);
}

// What the winner does not write may be a workspace, in which others have left something.
TEST(Bursts, tells_bytes_that_the_winner_writes_from_others) {
  Observed observed;
  const Kernel first_half = [](std::uint64_t* p, const std::uint64_t* g, std::size_t size) {
    for (std::size_t i = 0; i < size / 2; ++i)
      p[i] = g[i];
  };
  observed.launch("all", observed.p, observed.g, copy);
  observed.launch("half", observed.p, observed.g, first_half);
  const BurstEvent& burst = observed.only();
  EXPECT_EQ(burst.replay, Replay::differs);
  EXPECT_EQ(burst.arguments.at(0).differing, count / 2);
  EXPECT_EQ(burst.arguments.at(0).written, 0U);
}

TEST(Bursts, a_result_that_there_is_no_room_for_is_compared_by_its_digest_alone) {
  Observed observed;
  observed.memory.has_room_aside = false;
  for (const char* const code : {"a", "b"})
    observed.launch(code, observed.p, observed.g);
  const BurstEvent& burst = observed.only();
  EXPECT_EQ(burst.replay, Replay::differs);
  EXPECT_EQ(burst.arguments.at(0).differing, 0U);
  EXPECT_EQ(burst.why_not, "there was no room to keep both results");
  Observed right;
  right.memory.has_room_aside = false;
  for (const char* const code : {"a", "b"})
    right.launch(code, right.p, right.g, copy);
  EXPECT_EQ(right.only().replay, Replay::same);
}

// PyTorch rounds small tensors up: what lies behind them is another in each piece of memory.
TEST(Bursts, what_a_piece_of_memory_may_end_with_is_not_compared_between_calls) {
  const auto calls = [](std::vector<bool> has_rest) {
    Observed observed;
    observed.has_rest = std::move(has_rest);
    Values other = observed.g;
    other.back() = 77;
    observed.launch("a", observed.p, observed.g, copy);
    Values p(count, 100);
    observed.launch("a", p, other, copy);
    observed.bursts.finish();
    return observed.told.bursts;
  };
  const auto exact = calls({});
  ASSERT_EQ(exact.size(), 2U);
  EXPECT_NE(exact[0].inputs, exact[1].inputs);
  EXPECT_NE(exact[0].arguments.at(1).found, "");
  const auto second = calls({false, true});
  ASSERT_EQ(second.size(), 1U) << "the last call with the same inputs is told";
  EXPECT_NE(second[0].arguments.at(0).found, "");
  EXPECT_EQ(second[0].arguments.at(1).found, "");
  const auto all = calls({true, true});
  ASSERT_EQ(all.size(), 2U) << "else nothing tells calls apart";
  EXPECT_NE(all[0].inputs, all[1].inputs);
}

TEST(Bursts, memory_is_in_use_as_long_as_its_burst_is_open) {
  Observed observed;
  EXPECT_FALSE(observed.bursts.is_used(region_of(observed.p)));
  observed.launch("a", observed.p, observed.g);
  Values other(count, 1);
  EXPECT_TRUE(observed.bursts.is_used(region_of(observed.p)));
  EXPECT_FALSE(observed.bursts.is_used(region_of(other)));
  observed.bursts.memory_goes(region_of(observed.p));
  EXPECT_FALSE(observed.bursts.is_used(region_of(observed.p)));
}

// While a stream is captured nothing may wait for the device.
// A right program must not run out of memory because it is watched.
TEST(Bursts, no_more_is_kept_than_one_launch_may_be_given) {
  Observed observed({.bytes = 300});  // a launch has 256
  Values other(count, 55);
  observed.launch("a", observed.p, observed.g);
  observed.launch("a", other, observed.g);
  EXPECT_TRUE(observed.told.bursts.empty());  // those in one code are told at the end
  observed.launch("b", observed.p, observed.g);
  observed.bursts.finish();
  // The second one ended the first: its later code does not belong to it any more.
  EXPECT_EQ(observed.told.bursts.size(), 3U);
}

TEST(Bursts, launches_into_a_graph_are_counted_and_not_looked_at) {
  Observed observed;
  for (const char* const code : {"a", "b"})
    observed.launch(code, observed.p, observed.g);
  for (const char* const code : {"a", "b"}) {
    LaunchSeen launch = observed.seen(code, observed.p, observed.g, add);
    launch.captured = true;
    observed.bursts.begins(launch);
    observed.bursts.ends(true);
  }
  EXPECT_EQ(observed.only().launches(), 2);
  const TotalEvent& total = observed.told.totals.back();
  EXPECT_EQ(total.codes.at(0).captured, 1);
  EXPECT_EQ(total.codes.at(0).launches, 2);
  EXPECT_EQ(total.skipped, 2);
}

TEST(Bursts, memory_that_is_given_back_unread_was_a_copy) {
  Observed observed;
  for (const char* const code : {"a", "b"})
    observed.launch(code, observed.p, observed.g);
  observed.bursts.memory_goes(region_of(observed.p));
  EXPECT_TRUE(observed.only().was_on_copies);
  Observed read;
  for (const char* const code : {"a", "b"})
    read.launch(code, read.p, read.g);
  read.bursts.memory_is_read(region_of(read.p));
  read.bursts.memory_goes(region_of(read.p));
  EXPECT_FALSE(read.only().was_on_copies);
}

TEST(Bursts, looking_ends_when_it_has_taken_its_time_and_counting_goes_on) {
  Observed observed({.looked_at = 4, .first_code_ns = 0, .further_codes_ns = 0});
  for (int i = 0; i < 50; ++i)
    observed.launch("a", observed.p, observed.g);
  observed.bursts.finish();
  ASSERT_FALSE(observed.told.totals.empty());
  EXPECT_EQ(observed.told.totals.back().codes.at(0).launches, 50);
  EXPECT_EQ(observed.told.totals.back().skipped, 46);
}

TEST(Bursts, launches_that_are_only_counted_need_nothing_but_a_key) {
  Observed observed({.looked_at = 4, .first_code_ns = 0, .further_codes_ns = 0});
  const auto launch = [&](const char* code, std::uint64_t key) {
    LaunchSeen seen = observed.seen(code, observed.p, observed.g, add);
    seen.quick_key = key;
    if (observed.bursts.is_counted(key, seen.regions)) return true;
    observed.bursts.begins(std::move(seen));
    observed.bursts.ends(true);
    return false;
  };
  int counted = 0;
  for (int i = 0; i < 50; ++i)
    counted += launch("a", 1) ? 1 : 0;
  EXPECT_EQ(counted, 45);
  EXPECT_FALSE(launch("b", 2));
  EXPECT_FALSE(launch("a", 1));  // another code was launched
  observed.bursts.code_goes(nullptr);
  for (int i = 0; i < 4; ++i)
    EXPECT_FALSE(launch("a", 1));
  observed.bursts.finish();
  EXPECT_EQ(observed.told.totals.back().codes.at(0).launches, 55);
  EXPECT_FALSE(observed.told.totals.back().codes.at(0).has_all_paths);
}

TEST(Bursts, counts_launches_before_which_the_first_content_was_put_back) {
  Observed observed;
  observed.launch("a", observed.p, observed.g);
  observed.launch("a", observed.p, observed.g);  // on what the first one left
  std::fill(observed.p.begin(), observed.p.end(), 100);
  observed.launch("b", observed.p, observed.g);
  std::fill(observed.p.begin(), observed.p.end(), 100);
  observed.launch("a", observed.p, observed.g);
  const BurstEvent& burst = observed.only();
  ASSERT_EQ(burst.codes.size(), 2U);
  EXPECT_EQ(burst.codes[0].restored, 1);
  EXPECT_EQ(burst.codes[1].restored, 1);
  EXPECT_EQ(burst.definition, "kernels.py:3 (add)");
}

TEST(Bursts, streams_have_numbers_in_the_order_of_their_first_bursts) {
  Observed observed;
  Values q(count, 100);
  for (const std::uint64_t stream : {0xbeefU, 0xcafeU, 0xbeefU}) {
    LaunchSeen launch = observed.seen("a", stream == 0xbeefU ? observed.p : q, observed.g, add);
    launch.stream = stream;
    launch.scalars = std::to_string(observed.told.bursts.size());
    observed.bursts.begins(std::move(launch));
    observed.bursts.ends(true);
    q.assign(count, q[0] + 7);
  }
  observed.bursts.finish();
  std::set<std::int64_t> streams;
  for (const BurstEvent& burst : observed.told.bursts)
    streams.insert(burst.stream);
  EXPECT_EQ(streams, (std::set<std::int64_t>{0, 1}));
}

// A kernel on `buffer` that is launched until its launches are only counted, and whether one more
// is.
bool is_soon_counted(Observed& observed, Values& buffer) {
  for (int i = 0; i < 50; ++i) {
    LaunchSeen fill;
    fill.kernel = "fill";
    fill.code = "f";
    fill.shapes = "16";
    fill.regions = {region_of(buffer)};
    fill.tensors = {{0, 0, fill.regions[0].size}};
    fill.quick_key = 9;
    if (observed.bursts.is_counted(9, fill.regions)) return true;
    observed.bursts.begins(std::move(fill));
    observed.bursts.ends(true);
  }
  return false;
}

// Frameworks put many tensors into one allocation: all their kernels are launched on the same
// memory.
TEST(Bursts, kernels_that_share_memory_are_soon_counted_where_nothing_is_looked_at) {
  Observed observed({.bytes = 0, .looked_at = 4});
  observed.launch("a", observed.p, observed.g);
  EXPECT_TRUE(is_soon_counted(observed, observed.p));
}

TEST(Bursts, a_launch_on_what_is_tuned_is_never_only_counted) {
  Observed observed({.looked_at = 4, .first_code_ns = 0, .further_codes_ns = 0});
  Values other(count, 5);
  EXPECT_TRUE(is_soon_counted(observed, other));
  observed.launch("a", other, observed.g);
  EXPECT_FALSE(observed.bursts.is_counted(9, {region_of(other)}));
  Observed counting({.bytes = 0, .looked_at = 4});
  EXPECT_TRUE(is_soon_counted(counting, other));
  for (const char* const code : {"a", "b"})
    counting.launch(code, other, counting.g);
  EXPECT_FALSE(counting.bursts.is_counted(9, {region_of(other)}));
}

// Triton's timer fills a buffer of 256 MiB before each launch that it times.
TEST(Bursts, a_large_buffer_that_is_filled_between_trials_ends_nothing) {
  Observed observed({.bytes = 4096});
  Values buffer(4096 / sizeof(Values::value_type));
  for (const char* const code : {"a", "a", "b", "b", "a"}) {
    LaunchSeen fill;
    fill.kernel = "fill";
    fill.code = "f";
    fill.shapes = "512";
    fill.regions = {region_of(buffer)};
    fill.tensors = {{0, 0, 4096}};
    fill.relaunch = [](const Regions&) -> Result<void> { return {}; };
    observed.bursts.begins(std::move(fill));
    observed.bursts.ends(true);
    observed.launch(code, observed.p, observed.g);
  }
  observed.bursts.finish();
  std::int64_t several = 0;
  for (const BurstEvent& burst : observed.told.bursts)
    if (burst.codes.size() > 1) {
      several += burst.launches();
      EXPECT_EQ(burst.replay, Replay::differs);
    }
  EXPECT_EQ(several, 5);
}

TEST(Bursts, tells_which_arguments_were_written) {
  Observed observed;
  observed.launch("a", observed.p, observed.g);
  const BurstEvent& burst = observed.only();
  EXPECT_TRUE(burst.arguments.at(0).is_written);
  EXPECT_FALSE(burst.arguments.at(1).is_written);
}

TEST(Bursts, looking_takes_no_longer_than_the_program_itself) {
  Observed observed({.looked_at = 4, .all_kernels_ns = 0});
  for (int i = 0; i < 200; ++i)
    observed.launch("a", observed.p, observed.g);
  observed.bursts.finish();
  EXPECT_GT(observed.told.totals.back().skipped, 0);
}

TEST(Bursts, nothing_is_asked_of_the_caller_once_launches_are_only_counted) {
  Observed observed({.bytes = 0, .looked_at = 4});
  for (int i = 0; i < 50; ++i)
    observed.launch("a", observed.p, observed.g);
  EXPECT_EQ(observed.asked_for_caller, 5);
}

TEST(Bursts, tells_the_ways_to_a_launch) {
  Observed observed;
  for (const std::uint64_t path : {7U, 8U, 7U}) {
    observed.path = path;
    observed.launch("a", observed.p, observed.g);
  }
  observed.path = 9;
  observed.launch("b", observed.p, observed.g);
  const BurstEvent& burst = observed.only();
  EXPECT_THAT(burst.codes.at(0).paths, testing::ElementsAre(7, 8));
  EXPECT_TRUE(burst.codes.at(0).has_all_paths);
  EXPECT_EQ(burst.last_path, 9U);
  EXPECT_THAT(observed.told.totals.back().codes.at(1).paths, testing::ElementsAre(9));
}

TEST(Bursts, a_launch_counts_as_measured_where_a_clock_was_read_before_it) {
  Observed observed;
  observed.launch("a", observed.p, observed.g);
  observed.launch("b", observed.p, observed.g);
  observed.bursts.begins(observed.seen("c", observed.p, observed.g, add));
  observed.bursts.ends(true);
  const BurstEvent& burst = observed.only();
  EXPECT_EQ(burst.codes.at(1).measured, 1);
  EXPECT_EQ(burst.codes.at(2).measured, 0);
}

TEST(Bursts, a_forked_child_has_no_bursts_of_its_parent) {
  Observed observed;
  observed.launch("a", observed.p, observed.g);
  observed.told = {};
  observed.bursts.before_fork();
  observed.bursts.after_fork_in_child();
  observed.bursts.finish();
  EXPECT_TRUE(observed.told.bursts.empty());
  EXPECT_TRUE(observed.told.totals.empty());
}

}  // namespace
}  // namespace tunecheck::watch
