// A time limit on a machine that others use too.
#include "core/processes/shared_time.hpp"

#include <gtest/gtest.h>

namespace tunecheck::test {
namespace {

using namespace std::chrono_literals;

// How long, by a clock that is moved by hand, a limit of a second is waited for.
std::chrono::milliseconds waited(const std::function<double(std::chrono::milliseconds)>& crowding) {
  std::chrono::milliseconds passed = 0ms;
  const SharedTimeLimit::Clock::time_point began{};
  SharedTimeLimit limit(
      1s, [&] { return crowding(passed); }, [&] { return began + passed; });
  while (true) {
    const std::chrono::milliseconds wait = limit.next_wait();
    if (wait == 0ms) return passed;
    EXPECT_LE(wait, 500ms);
    passed += wait;
  }
}

TEST(SharedTimeLimit, is_the_limit_where_the_machine_has_little_to_do) {
  EXPECT_EQ(waited([](auto) { return 0.0; }), 1s);
  EXPECT_EQ(waited([](auto) { return 2.0; }), 1s);
}

TEST(SharedTimeLimit, passes_more_slowly_while_others_work) {
  const auto waited_ms = waited([](auto) { return 8.0; });
  EXPECT_GE(waited_ms, 4s);
  EXPECT_LE(waited_ms, 4500ms);
  // Only half of it is shared.
  const auto half = waited([](std::chrono::milliseconds now) { return now < 2s ? 8.0 : 1.0; });
  // What passed before it was asked is taken for as crowded as it is then.
  EXPECT_GE(half, 2s);
  EXPECT_LE(half, 3s);
}

TEST(SharedTimeLimit, ends_on_any_machine) {
  EXPECT_EQ(waited([](auto) { return 1e9; }), 10s);
}

TEST(SharedTimeLimit, knows_what_the_system_says) {
  // This test runs itself.
  EXPECT_GT(tasks_per_core(), 0);
}

}  // namespace
}  // namespace tunecheck::test
