// What else a machine does while something runs.
#include "gate/measure/other_work.hpp"

#include <chrono>
#include <csignal>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>

namespace tunecheck::gate {
namespace {

TEST(BusyTicks, are_those_of_all_cpus_without_idle_ones) {
  EXPECT_EQ(busy_ticks("cpu  100 20 3 4000 500 6 7 8 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n"),
            100 + 20 + 3 + 6 + 7 + 8);
  EXPECT_EQ(busy_ticks("cpu0 1 2 3 4 5 6 7 8\n"), std::nullopt);
  EXPECT_EQ(busy_ticks("cpu 1 2 3\n"), std::nullopt) << "a kernel that counts less";
  EXPECT_EQ(busy_ticks(""), std::nullopt);
}

void work_for(std::chrono::milliseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  volatile unsigned spun = 0;
  while (std::chrono::steady_clock::now() < end)
    spun = spun + 1;
}

// Both are seen against the same machine, whatever else it does.
TEST(OtherWork, is_what_others_do_and_not_what_this_process_does) {
  const OtherWork work;
  if (::access("/proc/stat", R_OK) != 0) GTEST_SKIP() << "this system has no /proc/stat";
  const pid_t child = ::fork();
  if (child == 0) {
    work_for(std::chrono::seconds(20));
    ::_exit(0);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  const double while_it_lives = work.cpus();
  ::kill(child, SIGKILL);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  // Now what it did is a child's that was waited for, so this process's own.
  const double afterwards = work.cpus();
  rusage used{};
  ASSERT_EQ(::getrusage(RUSAGE_CHILDREN, &used), 0);
  const double worked_s =
      static_cast<double>(used.ru_utime.tv_sec) + static_cast<double>(used.ru_utime.tv_usec) / 1e6;
  EXPECT_GT(while_it_lives - afterwards, worked_s / 2) << "of half a second and a little";
}

}  // namespace
}  // namespace tunecheck::gate
