// Launches that are not looked at one by one.
#include <algorithm>
#include <cstdint>

#include <gtest/gtest.h>

#include "observed_bursts.hpp"

namespace tunecheck::watch {
namespace {

// As on a GPU, where all writes are seen.
struct Following : Observed {
  explicit Following(std::int64_t looked_at = 4, std::int64_t kernel_ns = 1'000'000'000)
      : Observed({.looked_at = looked_at,
                  .first_code_ns = kernel_ns,
                  .further_codes_ns = kernel_ns,
                  .sees_writes = true}) {}
  void launches(const char* code, int times) {
    for (int i = 0; i < times; ++i)
      launch(code, p, g);
  }
};

TEST(Bursts, trials_that_were_not_looked_at_change_the_result_as_well) {
  for (const std::int64_t kernel_ns : {std::int64_t{1'000'000'000}, std::int64_t{0}}) {
    Following following(4, kernel_ns);
    for (const char* const code : {"a", "b", "c"})
      following.launches(code, 100);
    following.launches("c", 1);
    const int looks = following.memory.looks;
    const BurstEvent& burst = following.only();
    EXPECT_EQ(burst.replay, Replay::differs) << kernel_ns;
    EXPECT_EQ(burst.launches(), 301);
    EXPECT_EQ(burst.arguments.at(0).spoilt, 199);  // all of "a" and "b" but the first
    EXPECT_LT(looks, 40);
  }
}

TEST(Bursts, a_result_that_is_right_after_launches_without_a_look_is_right) {
  Following following;
  for (const char* const code : {"a", "b"})
    for (int i = 0; i < 20; ++i)
      following.launch(code, following.p, following.g, copy);
  EXPECT_EQ(following.only().replay, Replay::same);
}

// The last launch alone leaves what one launch of the winner should, and was not looked at.
TEST(Bursts, the_result_is_looked_at_before_it_is_used) {
  Following following;
  std::fill(following.p.begin(), following.p.end(), 0);
  const auto step = [](std::uint64_t* p, const std::uint64_t*, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i)
      p[i] = (p[i] + 1) % 8;
  };
  for (int i = 0; i < 4; ++i)
    following.launch("a", following.p, following.g, step);
  for (int i = 0; i < 21; ++i)
    following.launch("b", following.p, following.g, step);
  following.bursts.memory_is_read(region_of(following.p));
  EXPECT_EQ(following.only().replay, Replay::same);
}

TEST(Bursts, what_is_put_back_is_looked_at_each_time) {
  Following following;
  const Values kept = following.p;
  for (const char* const code : {"a", "b", "a"})
    for (int i = 0; i < 20; ++i) {
      following.bursts.memory_is_written(region_of(following.p));
      std::copy(kept.begin(), kept.end(), following.p.begin());
      following.launch(code, following.p, following.g);
    }
  const BurstEvent& burst = following.only();
  EXPECT_EQ(burst.replay, Replay::same);
  EXPECT_EQ(burst.arguments.at(0).spoilt, 0);
}

TEST(Bursts, another_content_after_launches_without_a_look_begins_a_new_burst) {
  for (const bool is_all : {false, true}) {
    Following following;
    following.launches("a", 20);
    if (is_all)
      following.bursts.all_memory_is_written();
    else
      following.bursts.memory_is_written(region_of(following.p));
    std::fill(following.p.begin(), following.p.end(), 7);
    following.launches("b", 1);
    following.bursts.finish();
    ASSERT_EQ(following.told.bursts.size(), 2U);
    EXPECT_EQ(following.told.bursts.at(0).launches(), 20);
  }
}

TEST(Bursts, a_launch_of_another_kernel_on_the_same_memory_is_a_write) {
  Following following;
  following.launches("a", 20);
  LaunchSeen other = following.seen("x", following.p, following.g, add);
  other.kernel = "other";
  following.bursts.begins(std::move(other));
  std::fill(following.p.begin(), following.p.end(), 7);
  following.bursts.ends(true);
  following.launches("b", 1);
  following.bursts.finish();
  EXPECT_EQ(following.told.bursts.size(), 3U);
}

TEST(Bursts, a_launch_that_failed_left_nothing_that_is_known) {
  Following following;
  following.launches("a", 20);
  following.bursts.begins(following.seen("a", following.p, following.g, add));
  following.bursts.ends(false);
  const int looks = following.memory.looks;
  following.launches("a", 1);
  EXPECT_GT(following.memory.looks, looks);
}

}  // namespace
}  // namespace tunecheck::watch
