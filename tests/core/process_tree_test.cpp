#include "core/processes/process_tree.hpp"

#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "core/command.hpp"
#include "process_state.hpp"

namespace tunecheck {
namespace {

using namespace std::chrono_literals;

// A process of a shell, and the numbers that what it leaves behind writes into files.
class ProcessTree : public testing::Test {
 protected:
  LineProcess start(const std::string& script) const {
    CommandOptions options;
    options.arguments = {"/bin/sh", "-c", script};
    options.folder = m_folder.path();
    return LineProcess::start(options, m_folder.path() / "errors").value();
  }
  pid_t number_in(const std::string& file) const {
    for (int i = 0; i < 2000; ++i) {
      std::ifstream in(m_folder.path() / file);
      pid_t number = 0;
      if (in >> number) return number;
      std::this_thread::sleep_for(5ms);
    }
    ADD_FAILURE() << "nobody wrote " << file;
    return -1;
  }

  void expect_that_one_that_forks_ends() const {
    std::filesystem::remove(m_folder.path() / "log");
    LineProcess process =
        start("setsid sh -c 'f() { echo once more >> log; (f) & exit; }; f' & sleep 0.2");
    (void)process.wait(1min);
    const auto before = size_of("log");
    EXPECT_GT(before, 0U);
    std::this_thread::sleep_for(100ms);
    EXPECT_EQ(size_of("log"), before);
  }

  std::uintmax_t size_of(const std::string& file) const {
    return std::filesystem::file_size(m_folder.path() / file);
  }

 private:
  TemporaryFolder m_folder = TemporaryFolder::create("tunecheck-test-tree").value();
};

constexpr const char* daemon = "setsid sh -c 'echo $$ > new && mv new left; exec sleep 1000' &\n";

TEST_F(ProcessTree, what_left_its_session_ends_with_the_process) {
  LineProcess process = start(std::string(daemon) + "while ! [ -e left ]; do :; done");
  const auto end = process.wait(1min);
  EXPECT_EQ(end.exit_status, 0);
  EXPECT_TRUE(test::has_ended(number_in("left")));
}

TEST_F(ProcessTree, what_left_its_session_ends_when_the_process_is_killed) {
  pid_t left = 0;
  {
    const LineProcess process = start(std::string(daemon) + "sleep 1000");
    left = number_in("left");
    EXPECT_EQ(::kill(left, 0), 0);
  }
  EXPECT_TRUE(test::has_ended(left));
}

TEST_F(ProcessTree, one_that_changes_its_number_all_the_time_ends_too) {
  expect_that_one_that_forks_ends();
}

// No look finds a machine on which none begins meanwhile.
TEST_F(ProcessTree, one_that_changes_its_number_ends_while_others_begin_all_the_time) {
  std::vector<LineProcess> others;
  for (int i = 0; i < 4; ++i)
    others.push_back(start("while :; do /bin/true; done"));
  for (int i = 0; i < 6; ++i)
    expect_that_one_that_forks_ends();
}

TEST_F(ProcessTree, one_that_runs_another_judge_leaves_the_other_mark) {
  const ProcessMark outer = ProcessMark::create();
  ASSERT_TRUE(outer.valid());
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    outer.put_on_this_process();
    // As a judge below it does.
    const ProcessMark inner = ProcessMark::create();
    const pid_t grandchild = ::fork();
    if (grandchild == 0) {
      inner.put_on_this_process();
      ::sleep(1000);
    }
    std::this_thread::sleep_for(20ms);
    const int ended = inner.end_all_since(::getpid());
    int status = 0;
    ::waitpid(grandchild, &status, 0);
    ::_exit(inner.valid() && ended == 1 && WIFSIGNALED(status) ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_F(ProcessTree, others_stay) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::sleep(1000);
    ::_exit(0);
  }
  {
    LineProcess process = start("exit 0");
    (void)process.wait(1min);
  }
  EXPECT_EQ(::kill(child, 0), 0);
  EXPECT_FALSE(::waitpid(child, nullptr, WNOHANG) == child);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
}

}  // namespace
}  // namespace tunecheck
