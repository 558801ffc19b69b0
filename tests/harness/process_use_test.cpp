// What processes use that share one processor, and of one that sleeps.
#include "harness/process/process_use.hpp"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <sched.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>
#include <sys/wait.h>

namespace tunecheck::test {
namespace {

using namespace std::chrono_literals;

// A child that does this, on the first processor of those that it may use.
class Child {
 public:
  explicit Child(const std::function<void()>& act) : m_id(::fork()) {
    if (m_id != 0) return;
    cpu_set_t all, first;
    CPU_ZERO(&first);
    ::sched_getaffinity(0, sizeof all, &all);
    for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&first) == 0; ++i)
      if (CPU_ISSET(i, &all)) CPU_SET(i, &first);
    ::sched_setaffinity(0, sizeof first, &first);
    for (;;)
      act();
  }
  ~Child() {
    ::kill(m_id, SIGKILL);
    ::waitpid(m_id, nullptr, 0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  [[nodiscard]] ProcessUse use() const { return process_use(m_id).value(); }
  [[nodiscard]] std::int64_t waited_ns() const { return use().waited_ns; }

 private:
  pid_t m_id;
};

// Each is always ready: what it does not run it waits, which is two thirds of the time.
TEST(ProcessUse, of_three_at_work_on_one_processor_each_waits) {
  if (!std::filesystem::exists("/proc/self/schedstat")) GTEST_SKIP() << "no CONFIG_SCHED_INFO";
  const Child one([] {});
  const Child another([] {});
  const Child last([] {});
  const auto started = std::chrono::steady_clock::now();
  const ProcessUse before = one.use();
  while (one.waited_ns() - before.waited_ns < 100'000'000 &&
         std::chrono::steady_clock::now() < started + 60s)
    std::this_thread::sleep_for(5ms);
  const ProcessUse after = one.use();
  const std::int64_t waited_ns = after.waited_ns - before.waited_ns;
  const std::int64_t wall_ns =
      std::chrono::nanoseconds(std::chrono::steady_clock::now() - started).count();
  EXPECT_GE(waited_ns, 100'000'000);
  EXPECT_GE(waited_ns + (after.cpu_ns - before.cpu_ns), wall_ns * 8 / 10);
  EXPECT_LE(waited_ns, wall_ns);
}

// It was ready until it first slept, which takes its time on a busy machine, and is not ready
// since.
TEST(ProcessUse, a_sleeping_process_waits_for_no_processor) {
  if (!std::filesystem::exists("/proc/self/schedstat")) GTEST_SKIP() << "no CONFIG_SCHED_INFO";
  const Child child([] { ::pause(); });
  const auto until = std::chrono::steady_clock::now() + 60s;
  std::int64_t before_ns = -1;
  std::int64_t now_ns = 0;
  while (now_ns != before_ns && std::chrono::steady_clock::now() < until) {
    before_ns = now_ns;
    std::this_thread::sleep_for(200ms);
    now_ns = child.waited_ns();
  }
  EXPECT_EQ(now_ns, before_ns);
}

TEST(ProcessUse, one_that_has_ended_is_a_failure) {
  pid_t id = ::fork();
  if (id == 0) ::_exit(0);
  ::waitpid(id, nullptr, 0);
  EXPECT_FALSE(process_use(id).has_value());
}

}  // namespace
}  // namespace tunecheck::test
