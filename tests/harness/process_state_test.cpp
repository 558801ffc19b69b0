// What a process has besides its memory, of a child that changes one thing after the other.
#include "harness/process/process_state.hpp"

#include <csignal>
#include <fcntl.h>
#include <functional>
#include <thread>
#include <unistd.h>

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

namespace tunecheck::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// The names of what differs in a child that has done this.
std::vector<std::string> changed_by(const std::function<void()>& act) {
  int ready[2];
  EXPECT_EQ(::pipe(ready), 0);
  const ProcessState before = process_state(::getpid()).value();
  const pid_t child = ::fork();
  if (child == 0) {
    act();
    (void)!::write(ready[1], "x", 1);
    for (;;)
      ::pause();
  }
  char done = 0;
  EXPECT_EQ(::read(ready[0], &done, 1), 1);
  const ProcessState after = process_state(child).value();
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  for (const int end : ready)
    ::close(end);
  std::vector<std::string> names;
  for (const auto& [name, value] : before)
    if (after.at(name) != value) names.push_back(name);
  return names;
}

TEST(ProcessState, is_that_of_a_parent_where_nothing_was_done) {
  EXPECT_THAT(changed_by([] {}), IsEmpty());
}

TEST(ProcessState, has_what_a_process_may_change_besides_its_memory) {
  EXPECT_THAT(changed_by([] { ::umask(0067); }), ElementsAre("umask"));
  EXPECT_THAT(changed_by([] { (void)!::chdir("/proc"); }), ElementsAre("working folder"));
  EXPECT_THAT(changed_by([] { std::signal(SIGUSR1, SIG_IGN); }), ElementsAre("ignored signals"));
  EXPECT_THAT(changed_by([] { std::signal(SIGUSR1, [](int) {}); }), ElementsAre("caught signals"));
  EXPECT_THAT(changed_by([] {
                sigset_t one;
                ::sigemptyset(&one);
                ::sigaddset(&one, SIGUSR2);
                ::sigprocmask(SIG_BLOCK, &one, nullptr);
              }),
              ElementsAre("blocked signals"));
  EXPECT_THAT(changed_by([] { (void)!::nice(1); }), ElementsAre("nice value"));
  EXPECT_THAT(changed_by([] {
                int ends[2];
                (void)!::pipe(ends);
              }),
              ElementsAre(open_pipes));
  EXPECT_THAT(changed_by([] { (void)::open("/dev/null", O_RDONLY); }), IsEmpty());
  EXPECT_THAT(changed_by([] {
                rlimit limit{};
                ::getrlimit(RLIMIT_NOFILE, &limit);
                --limit.rlim_cur;
                ::setrlimit(RLIMIT_NOFILE, &limit);
              }),
              ElementsAre("limit: Max open files"));
}

TEST(ProcessState, leaves_out_the_signals_that_the_c_library_catches_for_threads) {
  EXPECT_THAT(changed_by([] { std::jthread([] {}).join(); }), IsEmpty());
}

TEST(ProcessState, of_a_process_that_has_ended_is_an_error) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ::waitpid(child, nullptr, 0);
  const auto state = process_state(child);
  ASSERT_FALSE(state);
  EXPECT_THAT(state.error().message, HasSubstr("cannot read the state of process"));
}

}  // namespace
}  // namespace tunecheck::test
