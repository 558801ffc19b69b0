#include "core/in_parallel.hpp"

#include <atomic>
#include <mutex>
#include <sched.h>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace tunecheck {
namespace {

TEST(InParallel, everything_is_done_once) {
  for (const std::size_t workers : {std::size_t{1}, std::size_t{3}, std::size_t{50}}) {
    std::vector<std::atomic<int>> done(20);
    in_parallel(done.size(), workers, [&](std::size_t at) { ++done[at]; });
    for (const auto& count : done)
      EXPECT_EQ(count, 1);
  }
}

TEST(InParallel, one_worker_is_the_calling_thread) {
  std::set<std::thread::id> threads;
  in_parallel(5, 1, [&](std::size_t) { threads.insert(std::this_thread::get_id()); });
  EXPECT_EQ(threads, std::set<std::thread::id>{std::this_thread::get_id()});
}

TEST(InParallel, no_more_threads_work_than_are_asked_for) {
  std::mutex mutex;
  std::set<std::thread::id> threads;
  in_parallel(100, 3, [&](std::size_t) {
    const std::lock_guard lock(mutex);
    threads.insert(std::this_thread::get_id());
  });
  EXPECT_LE(threads.size(), 3U);
}

TEST(InParallel, what_a_call_throws_is_thrown_on) {
  EXPECT_THROW(in_parallel(10, 3,
                           [](std::size_t at) {
                             if (at == 7) throw std::runtime_error("seven");
                           }),
               std::runtime_error);
}

TEST(InParallel, nothing_to_do_is_nothing) {
  in_parallel(0, 4, [](std::size_t) { FAIL(); });
}

TEST(InParallel, without_a_number_there_is_a_worker_for_each_core) {
  EXPECT_GE(worker_count(0), 1U);
  EXPECT_EQ(worker_count(3), 3U);
}

// A process that taskset or a container confines to one CPU of 64 gains nothing by 64 threads.
TEST(InParallel, cores_that_this_process_may_not_use_have_no_worker) {
  const std::vector<int> before = allowed_cpus();
  if (before.empty()) GTEST_SKIP() << "this system does not say which CPUs a process may use";
  cpu_set_t all, one;
  ASSERT_EQ(::sched_getaffinity(0, sizeof all, &all), 0);
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(before.back()), &one);
  ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(allowed_cpus(), std::vector<int>{before.back()});
  EXPECT_EQ(worker_count(0), 1U);
  ASSERT_EQ(::sched_setaffinity(0, sizeof all, &all), 0);
  EXPECT_EQ(worker_count(0), before.size());
}

}  // namespace
}  // namespace tunecheck
