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

TEST(BusyTicks, are_those_of_work_here_and_elsewhere) {
  const std::string text =
      "cpu  1111 0 0 0 0 0 0 0 0 0\n"
      "cpu0 100 20 3 4000 500 6 7 8 0 0\n"
      "cpu1 10 0 0 9 9 0 0 0 0 0\n"
      "cpu12 1 0 0 9 9 0 0 0 0 0\nintr 5 6\n";
  EXPECT_EQ(busy_ticks(text, {0, 1, 12}), (BusyTicks{144 + 10 + 1, 0}));
  EXPECT_EQ(busy_ticks(text, {0}), (BusyTicks{144, 11}));
  EXPECT_EQ(busy_ticks(text, {1, 12}), (BusyTicks{11, 144}));
  EXPECT_EQ(busy_ticks(text, {0, 2}), std::nullopt) << "of one CPU nothing is said";
  EXPECT_EQ(busy_ticks(text, {}), std::nullopt);
  EXPECT_EQ(busy_ticks("cpu0 1 2 3\n", {0}), std::nullopt) << "a kernel that counts less";
  EXPECT_EQ(busy_ticks("", {0}), std::nullopt);
}

void work_for(std::chrono::milliseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  volatile unsigned spun = 0;
  while (std::chrono::steady_clock::now() < end)
    spun = spun + 1;
}

double seconds_of_children() {
  rusage used{};
  EXPECT_EQ(::getrusage(RUSAGE_CHILDREN, &used), 0);
  return static_cast<double>(used.ru_utime.tv_sec) +
         static_cast<double>(used.ru_utime.tv_usec) / 1e6;
}

// Both are seen against the same machine, whatever else it does.
TEST(OtherWork, is_what_others_do_and_not_what_this_process_does) {
  const double before_s = seconds_of_children();
  const OtherWork work;
  if (::access("/proc/stat", R_OK) != 0) GTEST_SKIP() << "this system has no /proc/stat";
  const pid_t child = ::fork();
  if (child == 0) {
    work_for(std::chrono::seconds(20));
    ::_exit(0);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  const double while_it_lives = work.cpus().here;
  ::kill(child, SIGKILL);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  // Now what it did is a child's that was waited for, so this process's own.
  const double afterwards = work.cpus().here;
  const double worked_s = seconds_of_children() - before_s;
  EXPECT_GT(while_it_lives - afterwards, worked_s / 2) << "of half a second and a little";
}

}  // namespace
}  // namespace tunecheck::gate
